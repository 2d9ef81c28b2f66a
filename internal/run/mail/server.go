package mail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/wneessen/go-mail"

	"forecourt/db"
	"forecourt/internal/kit/secret"
	"forecourt/internal/kit/typed"
)

// Server is a mail server that relays letters.
type Server struct {
	host, user string
	port       int
	password   secret.Text
	secure     bool // TLS from the first byte
	local      bool // on this machine, where TLS may be missing
	failing    atomic.Bool
}

// Works reports whether the server answered the last letter, by accepting or refusing it. It is true before the first one.
func (s *Server) Works() bool { return !s.failing.Load() }

// ParseServer reads smtp://user:password@host:port, or smtps:// for TLS from the first byte. A server on another machine must use
// TLS. The error never repeats the address, which may hold a password.
func ParseServer(address string) (*Server, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" {
		return nil, errors.New("it is not smtp://USER:PASSWORD@HOST:PORT")
	}
	s := &Server{host: u.Hostname(), port: 587, secure: u.Scheme == "smtps"}
	if s.secure {
		s.port = 465
	}
	if u.Port() != "" {
		if s.port, err = strconv.Atoi(u.Port()); err != nil || s.port < 1 || s.port > 65535 {
			return nil, errors.New("its port is not a number from 1 to 65535")
		}
	}
	if u.User != nil {
		password, _ := u.User.Password()
		s.user, s.password = u.User.Username(), secret.New(password)
	}
	ip := net.ParseIP(s.host)
	s.local = s.host == "localhost" || ip != nil && ip.IsLoopback()
	return s, nil
}

// RefusedError means that a mail server has permanently refused a letter.
type RefusedError struct{ Code int }

func (e *RefusedError) Error() string { return fmt.Sprintf("refused for good with code %d", e.Code) }

// send gives a letter to the server. It returns *RefusedError if trying again cannot help.
func (s *Server) send(ctx context.Context, row db.Mail) error {
	message, err := compose(row)
	if err != nil {
		return &RefusedError{} // the stored letter cannot be sent, now or later
	}
	client, err := mail.NewClient(s.host, s.options()...)
	if err != nil {
		return err
	}
	err = client.DialAndSendWithContext(ctx, message)
	var failed *mail.SendError
	answered := errors.As(err, &failed) && failed.ErrorCode() > 0
	s.failing.Store(err != nil && !answered)
	switch {
	case !errors.As(err, &failed):
		return err
	case !failed.IsTemp() && failed.ErrorCode() >= 550 && failed.ErrorCode() <= 559:
		return &RefusedError{Code: failed.ErrorCode()}
	default: // the server's message names the addresses
		return fmt.Errorf("%s, code %d", failed.Reason, failed.ErrorCode())
	}
}

func (s *Server) options() []mail.Option {
	options := []mail.Option{mail.WithPort(s.port), mail.WithTimeout(20 * time.Second), mail.WithoutNoop()}
	switch {
	case s.secure:
		options = append(options, mail.WithSSL())
	case s.local:
		options = append(options, mail.WithTLSPolicy(mail.TLSOpportunistic))
	default:
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	}
	if s.user != "" {
		kind := mail.SMTPAuthAutoDiscover
		if s.local && !s.secure {
			kind = mail.SMTPAuthPlainNoEnc
		}
		options = append(options, mail.WithSMTPAuth(kind), mail.WithUsername(s.user), mail.WithPassword(s.password.Reveal()))
	}
	return options
}

func compose(row db.Mail) (*mail.Msg, error) {
	// go-mail would read "a <b@c.de>" as a name and a different address.
	if !typed.IsEmail(row.Recipient) {
		return nil, typed.ErrEmail
	}
	m := mail.NewMsg()
	err := errors.Join(m.From(row.Sender), m.To(row.Recipient))
	if row.Bcc != "" {
		err = errors.Join(err, m.Bcc(row.Bcc))
	}
	if err != nil {
		return nil, err
	}
	m.Subject(row.Subject)
	m.SetMessageIDWithValue(row.MessageID)
	m.SetDateWithValue(row.CreatedAt)
	// This suppresses vacation replies, which nobody would read.
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	if row.TestMode {
		m.SetGenHeader("X-Test-Mode", "true")
	}
	m.SetBodyString(mail.TypeTextPlain, row.Plain)
	m.AddAlternativeString(mail.TypeTextHTML, row.Html)
	if row.File != nil {
		if err := m.AttachReader(row.FileName, bytes.NewReader(row.File)); err != nil {
			return nil, err
		}
	}
	return m, nil
}
