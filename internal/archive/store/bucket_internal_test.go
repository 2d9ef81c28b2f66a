package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"forecourt/internal/secret"
)

// answering returns a store whose bucket answers with a function.
func answering(handle http.HandlerFunc) (s Store, stop func()) {
	server := &http.Server{Handler: handle, ReadHeaderTimeout: time.Minute}
	line := &oneLine{conns: make(chan net.Conn), closed: make(chan struct{})}
	go func() { _ = server.Serve(line) }()
	b := NewBucket(url.URL{Scheme: "http", Host: "bucket.example", Path: "/bucket/some/"}, "some/", Access{ID: "id", Secret: secret.New("secret"), Region: "here"}).(*bucket)
	transport := b.client.Transport.(*http.Transport)
	transport.Proxy, transport.DialContext = nil, func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		line.conns <- there
		return here, nil
	}
	return b, func() {
		transport.CloseIdleConnections()
		_ = server.Close()
	}
}

// oneLine is a listener for connections within the test, whose time may be that of a bubble.
type oneLine struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (l *oneLine) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *oneLine) Close() error   { close(l.closed); return nil }
func (l *oneLine) Addr() net.Addr { return &net.UnixAddr{Name: "bucket", Net: "unix"} }

// TestAnAnswerThatDoesNotGoOnIsGivenUp has a bucket that sends the beginning of an answer and then nothing. Slow readers are not its fault.
func TestAnAnswerThatDoesNotGoOnIsGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, stop := answering(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "<ListBucketResult>")
			_ = http.NewResponseController(w).Flush()
			if !strings.Contains(r.URL.Path, "whole") {
				<-r.Context().Done()
			}
		})
		defer stop()
		began := time.Now()
		if _, err := s.List(t.Context(), "wal"); !errors.Is(err, errSilent) || time.Since(began) != partWithin {
			t.Errorf("a list: %v after %s", err, time.Since(began))
		}
		began = time.Now()
		body, err := s.Get(t.Context(), "base/x")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(body); !errors.Is(err, errSilent) || time.Since(began) != partWithin {
			t.Errorf("a file: %v after %s", err, time.Since(began))
		}
		_ = body.Close()
		if body, err = s.Get(t.Context(), "base/whole"); err != nil {
			t.Fatal(err)
		}
		<-time.After(time.Hour)
		if text, err := io.ReadAll(body); err != nil || len(text) == 0 {
			t.Errorf("a slow reader gets %q, %v", text, err)
		}
		_ = body.Close()
	})
}

// TestAListWithoutAnEndIsGivenUp has a bucket that goes on for ever, in one answer or in many.
func TestAListWithoutAnEndIsGivenUp(t *testing.T) {
	t.Parallel()
	for name, contents := range map[string]string{
		"in many answers":       strings.Repeat("<Contents><Key>some/wal/000000010000000000000001.age</Key></Contents>", 1000),
		"in many empty answers": "",
		"in one answer":         strings.Repeat("<Contents></Contents>", maxPage/20),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := 0
			s, stop := answering(func(w http.ResponseWriter, _ *http.Request) {
				n++
				fmt.Fprintf(w, "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>%d</NextContinuationToken>%s</ListBucketResult>", n, contents)
			})
			defer stop()
			s.(*bucket).most = 10_000
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if _, err := s.List(ctx, "wal"); err == nil || ctx.Err() != nil {
				t.Errorf("%v after %d answers", err, n)
			}
		})
	}
}

// TestAServicesMessageIsShownAsALine has a bucket write more than one line, and what some terminals take for a command.
func TestAServicesMessageIsShownAsALine(t *testing.T) {
	t.Parallel()
	s, stop := answering(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprintf(w, "<Error><Code>Denied</Code><Message>not\u009b31m you\nforecourt: all is well %s</Message></Error>", strings.Repeat("x", 10_000))
	})
	defer stop()
	_, err := s.Get(t.Context(), "base/x")
	if err == nil || !strings.Contains(err.Error(), "403 Forbidden: Denied: not") || len(err.Error()) > 2*maxSaid || strings.ContainsAny(err.Error(), "\n\u009b") {
		t.Errorf("%q", err)
	}
}
