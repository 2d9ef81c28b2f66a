package web_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"forecourt/handlers/web"
	"forecourt/internal/kit/check"
)

// ask sends a request over a connection of its own to a server on piped.
func ask(t *testing.T, conns piped, path string) net.Conn {
	t.Helper()
	client, end := net.Pipe()
	conns <- end
	_, err := io.WriteString(client, "GET "+path+" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	check.Must(t, err)
	return client
}

func TestAStreamOfEitherVersionIsWholeAndEndsWithItsReader(t *testing.T) {
	t.Parallel()
	for name, two := range map[string]bool{"HTTP/1.1": false, "HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			over := make(chan struct{})
			server := serve(t, two, func(w http.ResponseWriter, r *http.Request) {
				defer close(over)
				w.Header().Set("X-Ours", "kept")
				s, err := web.OpenStream(w, r)
				if err != nil {
					t.Error(err)
					return
				}
				_ = s.Send([]byte("one"))
				_ = s.SendAs("7", []byte("two"))
				<-r.Context().Done()
			})
			res, err := server.Client().Get(server.URL)
			check.Must(t, err)
			if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/event-stream" || res.Header.Get("X-Ours") != "kept" ||
				(res.ProtoMajor == 2) != two {
				t.Errorf("%s %s %v", res.Proto, res.Status, res.Header)
			}
			var got []string
			for lines := bufio.NewScanner(res.Body); len(got) < 3 && lines.Scan(); {
				if line := lines.Text(); line != "" && !strings.HasPrefix(line, "retry: ") {
					got = append(got, line)
				}
			}
			if strings.Join(got, "|") != "data: one|id: 7|data: two" {
				t.Errorf("%q", got)
			}
			_ = res.Body.Close()
			<-over
		})
	}
}

// serve returns a server of either version of HTTP.
func serve(t *testing.T, two bool, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	if server.EnableHTTP2 = two; two {
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	return server
}

// TestAStreamOutlastsTheServersLimits runs on a fake clock, which skips the waiting.
func TestAStreamOutlastsTheServersLimits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const limit = 30 * time.Second
		conns := make(piped)
		server := &http.Server{ReadTimeout: limit, WriteTimeout: limit, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s, err := web.OpenStream(w, r)
			if err != nil {
				t.Error(err)
				return
			}
			_ = s.Send([]byte("first"))
			<-time.After(4 * limit)
			_ = s.Beat()
			_ = s.Send([]byte("second"))
		})}
		go func() { _ = server.Serve(conns) }()
		res, err := http.ReadResponse(bufio.NewReader(ask(t, conns, "/")), nil)
		check.Must(t, err)
		check.Equal(t, res.Header.Get("Content-Type"), "text/event-stream", "Content-Type")
		check.Contains(t, res.Header.Get("Cache-Control"), "no-cache", "Cache-Control")
		start := time.Now().UnixMilli()
		var got []string
		lines := bufio.NewScanner(res.Body)
		for lines.Scan() {
			if line := lines.Text(); line != "" && !strings.HasPrefix(line, "retry: ") {
				got = append(got, line)
			}
		}
		// The clock of a device may be wrong: a beat says what time it is here.
		want := fmt.Sprintf("data: first|event: beat|data: %d|data: second", start+(4*limit).Milliseconds())
		if strings.Join(got, "|") != want || lines.Err() != nil {
			t.Errorf("%q, %v", got, lines.Err())
		}
		_ = server.Close()
	})
}

func TestAMessageCannotPassForAnotherEvent(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, err := web.OpenStream(w, r)
		if err != nil {
			t.Error(err)
			return
		}
		_ = s.Send([]byte("a\nevent: b\r\rid: c\r\n\nretry: 1"))
	}))
	defer server.Close()
	res, err := http.Get(server.URL)
	check.Must(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	check.Must(t, err)
	_, message, _ := strings.Cut(string(body), "\n\n")
	want := "data: a\ndata: event: b\ndata: \ndata: id: c\ndata: \ndata: retry: 1\n\n"
	check.Equal(t, message, want, "message")
}

// TestAReaderWhoDoesNotReadIsDropped runs on a fake clock, which skips the waiting.
func TestAReaderWhoDoesNotReadIsDropped(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		over := make(chan time.Duration, 1)
		mux := http.NewServeMux()
		mux.HandleFunc("/endless", func(w http.ResponseWriter, r *http.Request) {
			stream, err := web.OpenStream(w, r)
			start := time.Now()
			for err == nil {
				err = stream.Send(bytes.Repeat([]byte("x"), 1000))
			}
			over <- time.Since(start)
		})
		mux.HandleFunc("/short", func(w http.ResponseWriter, r *http.Request) {
			stream, err := web.OpenStream(w, r)
			if err == nil {
				err = stream.Send([]byte("news"))
			}
			check.NoError(t, err)
		})
		conns := make(piped)
		server := &http.Server{Handler: mux}
		go func() { _ = server.Serve(conns) }()
		deaf := ask(t, conns, "/endless")
		for lines := bufio.NewReader(deaf); ; { // reads the beginning and nothing after it
			line, err := lines.ReadString('\n')
			check.Must(t, err)
			if strings.HasPrefix(line, "retry: ") {
				break
			}
		}
		start := time.Now()
		answer, err := io.ReadAll(ask(t, conns, "/short"))
		if err != nil || !bytes.Contains(answer, []byte("data: news\n")) || time.Since(start) != 0 {
			t.Errorf("another page gets %q after %v, %v", answer, time.Since(start), err)
		}
		check.Equal(t, <-over, 10*time.Second, "the reader was dropped after")
		_ = deaf.Close()
		_ = server.Close()
	})
}

// piped is a listener of connections that need no network.
type piped chan net.Conn

func (p piped) Accept() (net.Conn, error) {
	if conn, ok := <-p; ok {
		return conn, nil
	}
	return nil, net.ErrClosed
}

func (p piped) Close() error { close(p); return nil }
func (piped) Addr() net.Addr { return &net.TCPAddr{} }
