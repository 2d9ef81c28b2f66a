// Package mailtest has a mail server that accepts every letter, for tests.
package mailtest

import (
	"context"
	"io"
	"log"
	"net"
	"slices"
	"sync"

	"github.com/emersion/go-smtp"
)

// Server is a running mail server.
type Server struct {
	*smtp.Server
	URL string // for mail.ParseServer

	mu    sync.Mutex
	taken []Letter
}

// Letter is a letter that has arrived, to all its recipients.
type Letter struct {
	To   []string
	Text string
}

// Start starts a server. Close ends it.
func Start(ctx context.Context) (*Server, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{URL: "smtp://" + listener.Addr().String()}
	s.Server = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &session{server: s}, nil }))
	s.ErrorLog = log.New(io.Discard, "", 0) // about senders that were killed
	go func() { _ = s.Serve(listener) }()
	return s, nil
}

// Letters returns what has arrived so far.
func (s *Server) Letters() []Letter {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.taken)
}

type session struct {
	server *Server
	to     []string
}

func (s *session) Mail(string, *smtp.MailOptions) error { s.to = nil; return nil }
func (*session) Reset()                                 {}
func (*session) Logout() error                          { return nil }

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = append(s.to, to)
	return nil
}

// Data takes a letter. If its sender dies on the way, it has not arrived.
func (s *session) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	if err == nil {
		s.server.mu.Lock()
		defer s.server.mu.Unlock()
		s.server.taken = append(s.server.taken, Letter{s.to, string(text)})
	}
	return err
}
