package fake

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"slices"
	"sync"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// MailServer is a mail server that keeps what arrives. It accepts every letter unless Answer says otherwise.
type MailServer struct {
	URL  string // for mail.ParseServer
	Auth string // the required "user:password"; empty for none
	// Answer returns the response to the nth letter (from 0) after its content, or io.ErrClosedPipe to break the connection instead.
	Answer func(n int) error

	server   *smtp.Server
	listener net.Listener
	done     chan struct{}
	mu       sync.Mutex
	taken    []Letter
}

// Letter is a letter that has arrived, to all its recipients.
type Letter struct {
	From string
	To   []string
	Text string
}

// Start starts the server. Close ends it.
func (s *MailServer) Start(ctx context.Context) (err error) {
	if s.listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0"); err != nil {
		return err
	}
	user := ""
	if s.Auth != "" {
		user = s.Auth + "@"
	}
	s.URL, s.done = "smtp://"+user+s.listener.Addr().String(), make(chan struct{})
	s.server = smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		return &session{to: s, conn: c.Conn(), welcome: s.Auth == ""}, nil
	}))
	s.server.AllowInsecureAuth, s.server.ErrorLog = true, log.New(io.Discard, "", 0) // about senders that were killed
	go func() { _ = s.server.Serve(s.listener); close(s.done) }()
	return nil
}

// Close ends the server.
func (s *MailServer) Close() error {
	err := s.listener.Close() // which Serve may not know yet
	_ = s.server.Close()
	<-s.done
	return err
}

// Letters returns what has arrived so far, whatever the server answered.
func (s *MailServer) Letters() []Letter {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.taken)
}

type session struct {
	to      *MailServer
	conn    net.Conn
	welcome bool
	now     Letter
}

func (s *session) AuthMechanisms() []string {
	if s.to.Auth == "" {
		return nil
	}
	return []string{sasl.Plain}
}

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user+":"+password != s.to.Auth {
			return smtp.ErrAuthFailed
		}
		s.welcome = true
		return nil
	}), nil
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if !s.welcome {
		return smtp.ErrAuthRequired
	}
	s.now = Letter{From: from}
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.now.To = append(s.now.To, to)
	return nil
}

// Data takes a letter. If its sender dies on the way, it has not arrived.
func (s *session) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.now.Text = string(text)
	s.to.mu.Lock()
	n := len(s.to.taken)
	s.to.taken = append(s.to.taken, s.now)
	s.to.mu.Unlock()
	if s.to.Answer == nil {
		return nil
	}
	err = s.to.Answer(n)
	if errors.Is(err, io.ErrClosedPipe) {
		_ = s.conn.Close()
	}
	return err
}

func (*session) Reset()        {}
func (*session) Logout() error { return nil }
