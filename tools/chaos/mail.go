package main

import (
	"context"
	"io"
	"log"
	"net"
	"net/mail"
	"slices"
	"sync"

	"github.com/emersion/go-smtp"
)

// mailServer accepts every letter and keeps its Message-ID.
type mailServer struct {
	*smtp.Server
	address string

	mu    sync.Mutex
	taken []string
}

func newMailServer(ctx context.Context) (*mailServer, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &mailServer{address: listener.Addr().String()}
	m.Server = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return mailSession{m}, nil }))
	m.ErrorLog = log.New(io.Discard, "", 0) // about senders that were killed
	go func() { _ = m.Serve(listener) }()
	return m, nil
}

// letters returns the Message-IDs of the letters that have arrived so far.
func (m *mailServer) letters() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.taken)
}

type mailSession struct{ server *mailServer }

func (mailSession) Mail(string, *smtp.MailOptions) error { return nil }
func (mailSession) Rcpt(string, *smtp.RcptOptions) error { return nil }
func (mailSession) Reset()                               {}
func (mailSession) Logout() error                        { return nil }

func (s mailSession) Data(r io.Reader) error {
	letter, err := mail.ReadMessage(r)
	if err == nil {
		_, err = io.Copy(io.Discard, letter.Body)
	}
	if err != nil {
		return err // the sender died on the way, so the letter has not arrived
	}
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.taken = append(s.server.taken, letter.Header.Get("Message-ID"))
	return nil
}
