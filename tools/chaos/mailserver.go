package main

import (
	"bytes"
	"context"
	"io"
	"log"
	"mime"
	"mime/multipart"
	"net"
	"net/mail"
	"regexp"
	"strings"
	"sync"

	"github.com/emersion/go-smtp"
)

// mailServer accepts and keeps every letter.
type mailServer struct {
	server  *smtp.Server
	address string

	mu    sync.Mutex
	taken []letter
}

// letter is one mail as it arrived.
type letter struct {
	id, to   string
	kind     letterKind
	mentions []string // ids of transactions, among other words that look like ids
}

// letterKind is what a letter is about.
type letterKind int

const (
	aReceipt letterKind = iota
	aRefund
	aDispute
	aNotice // to a team member, who may have turned it off
)

// kindOf returns the kind of a letter by its subject.
func kindOf(subject string) letterKind {
	switch {
	case strings.HasPrefix(subject, "Refund of "):
		return aRefund
	case strings.Contains(subject, "dispute"):
		return aDispute
	default:
		return aReceipt
	}
}

func newMailServer(ctx context.Context) (*mailServer, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	m := &mailServer{address: listener.Addr().String()}
	m.server = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &mailSession{server: m}, nil }))
	m.server.ErrorLog = log.New(io.Discard, "", 0) // about senders that were killed
	go func() { _ = m.server.Serve(listener) }()
	return m, nil
}

// letters returns the letters that have arrived so far.
func (m *mailServer) letters() []letter {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]letter{}, m.taken...)
}

type mailSession struct {
	server *mailServer
	to     string
}

func (s *mailSession) Mail(string, *smtp.MailOptions) error { return nil }

func (s *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	return nil
}

func (s *mailSession) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err // the sender died on the way, so the letter has not arrived
	}
	l, err := parseLetter(text)
	if err != nil {
		return err
	}
	l.to = s.to
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.taken = append(s.server.taken, l)
	return nil
}

func (s *mailSession) Reset()        {}
func (s *mailSession) Logout() error { return nil }

// transactionID matches ids. It also matches the token in a receipt's address.
var transactionID = regexp.MustCompile(`\b[A-Z2-7]{26}\b`)

// parseLetter reads the plain part of a letter, which comes first.
func parseLetter(text []byte) (letter, error) {
	m, err := mail.ReadMessage(bytes.NewReader(text))
	if err != nil {
		return letter{}, err
	}
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		return letter{}, err
	}
	part, err := multipart.NewReader(m.Body, params["boundary"]).NextPart()
	if err != nil {
		return letter{}, err
	}
	plain, err := io.ReadAll(part)
	kind := kindOf(m.Header.Get("Subject"))
	if strings.Contains(string(plain), "Choose what you are told of") {
		kind = aNotice
	}
	return letter{
		id: m.Header.Get("Message-ID"), kind: kind,
		mentions: transactionID.FindAllString(string(plain), -1),
	}, err
}

// mailboxOf returns the address that a payer leaves for a transaction, or "". Half of the payers leave one.
func mailboxOf(trx string) string {
	if trx == "" || trx[len(trx)-1]%2 == 0 {
		return ""
	}
	return "payer-" + strings.ToLower(trx) + "@chaos.test"
}
