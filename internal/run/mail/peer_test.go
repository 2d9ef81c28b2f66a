package mail_test

import (
	"errors"
	"io"
	"net"
	"sync"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"forecourt/internal/kit/must"
)

// peer is a mail server that can accept or refuse letters.
type peer struct {
	address string
	auth    string // the required "user:password"; empty for none
	// answer returns the response to the nth message (from 0) after its content, or io.ErrClosedPipe to break the connection instead.
	answer func(n int) error

	mu    sync.Mutex
	taken []message
}

type message struct {
	from string
	to   []string
	text string
}

func newPeer(t *testing.T, auth string, answer func(n int) error) *peer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must.NoError(t, err)
	p := &peer{address: listener.Addr().String(), auth: auth, answer: answer}
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		return &session{peer: p, conn: c.Conn(), welcome: auth == ""}, nil
	}))
	server.AllowInsecureAuth = true
	done := make(chan struct{})
	go func() { _ = server.Serve(listener); close(done) }()
	t.Cleanup(func() { _ = server.Close(); <-done })
	return p
}

// messages returns the messages that reached the server, whatever it answered.
func (p *peer) messages() []message {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]message{}, p.taken...)
}

type session struct {
	peer    *peer
	conn    net.Conn
	welcome bool
	now     message
}

func (s *session) AuthMechanisms() []string {
	if s.peer.auth == "" {
		return nil
	}
	return []string{sasl.Plain}
}

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user+":"+password != s.peer.auth {
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
	s.now = message{from: from}
	return nil
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.now.to = append(s.now.to, to)
	return nil
}

func (s *session) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.now.text = string(text)
	s.peer.mu.Lock()
	n := len(s.peer.taken)
	s.peer.taken = append(s.peer.taken, s.now)
	s.peer.mu.Unlock()
	if s.peer.answer == nil {
		return nil
	}
	err = s.peer.answer(n)
	if errors.Is(err, io.ErrClosedPipe) {
		_ = s.conn.Close()
	}
	return err
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }
