package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"forecourt/handlers/web"
	"forecourt/internal/kit/check"
)

// pipes is a listener without a network, so that its connections use the fake clock of synctest.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.conns:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error   { close(p.closed); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

// dial serves handler, and returns the client's end of a connection to it. closeAll ends both.
func dial(handler http.HandlerFunc) (client net.Conn, closeAll func()) {
	listener := pipes{make(chan net.Conn), make(chan struct{})}
	server := newWeb(handler, slog.New(slog.DiscardHandler))
	go func() { _ = server.Serve(listener) }()
	client, end := net.Pipe()
	listener.conns <- end
	return client, func() {
		_ = client.Close()
		_ = server.Close()
	}
}

// drip writes a byte each second until the other end is closed.
func drip(conn net.Conn) {
	for {
		if _, err := conn.Write([]byte("x")); err != nil {
			return
		}
		<-time.After(time.Second)
	}
}

// TestSlowClientsAreCutOff tries every way in which a client can be slow, on a fake clock that skips the waiting.
func TestSlowClientsAreCutOff(t *testing.T) {
	t.Parallel()
	const head = "POST /x HTTP/1.1\r\nHost: x\r\n"
	for _, tt := range []struct {
		name, says string
		then       func(net.Conn)
		cut        time.Duration // when the server closes the connection
		answer     string        // the beginning of the answer; "" for none
	}{
		{"headers that drip", head + "X-Slow: ", drip, 5 * time.Second, ""},
		{"headers that stop", head, nil, 5 * time.Second, ""},
		{"nothing at all", "", nil, 5 * time.Second, ""},
		{"a body that drips", head + "Content-Length: 9999\r\n\r\n", drip, 10 * time.Second, "HTTP/1.1 400 "},
		{"an idle connection", "GET /x HTTP/1.1\r\nHost: x\r\n\r\n", nil, 2 * time.Minute, "HTTP/1.1 200 "},
		{"headers without an end", head + "X-Long: " + strings.Repeat("x", 40<<10), nil, 0, "HTTP/1.1 431 "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client, closeAll := dial(web.Limited(64 << 10)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if _, err := io.Copy(io.Discard, r.Body); err != nil {
						w.Header().Set("Connection", "close")
						w.WriteHeader(http.StatusBadRequest)
					}
				})).ServeHTTP)
				start := time.Now()
				var writing sync.WaitGroup
				writing.Go(func() {
					_, _ = io.WriteString(client, tt.says) // the server may not read all of it
					if tt.then != nil {
						tt.then(client)
					}
				})
				answer, err := io.ReadAll(client)
				check.NoError(t, err, "the answer breaks off")
				// net/http closes a connection a moment after its last answer, so that the answer arrives.
				if took := time.Since(start); took < tt.cut || took > tt.cut+2*time.Second {
					t.Errorf("it was cut off after %v, want %v", took, tt.cut)
				}
				if !strings.HasPrefix(string(answer), tt.answer) || tt.answer == "" && len(answer) > 0 {
					t.Errorf("it was answered %.100q, want %q", answer, tt.answer)
				}
				closeAll()
				writing.Wait()
			})
		})
	}
}

func TestAClientThatDoesNotReadIsCutOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		failed := make(chan error, 1)
		client, closeAll := dial(func(w http.ResponseWriter, _ *http.Request) {
			_, err := io.WriteString(w, strings.Repeat("x", 1<<20))
			failed <- err
		})
		defer closeAll()
		start := time.Now()
		_, err := io.WriteString(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		check.Must(t, err)
		if _, err := bufio.NewReaderSize(client, 16).ReadByte(); err != nil { // and nothing after it
			t.Fatal(err)
		}
		var late net.Error
		if err := <-failed; !errors.As(err, &late) || !late.Timeout() || time.Since(start) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

// TestAnHTTP2ConnectionHasFewRequestsAtOnce reads the server's settings, its first frame (RFC 9113, sections 4.1 and 6.5).
func TestAnHTTP2ConnectionHasFewRequestsAtOnce(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(nil)
	server.Config = newWeb(http.NotFoundHandler(), slog.New(slog.DiscardHandler))
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	dialer := tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}}}
	conn, err := dialer.DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	check.Must(t, err)
	defer func() { _ = conn.Close() }()
	_, _ = io.WriteString(conn, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00")
	header := make([]byte, 9)
	_, err = io.ReadFull(conn, header)
	check.Must(t, err)
	settings := make([]byte, binary.BigEndian.Uint32(header)>>8)
	_, err = io.ReadFull(conn, settings)
	check.Must(t, err)
	if fifty := []byte{0, 3, 0, 0, 0, 50}; !bytes.Contains(settings, fifty) {
		t.Errorf("settings % x, want MAX_CONCURRENT_STREAMS as % x", settings, fifty)
	}
}
