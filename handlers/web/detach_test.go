package web_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"forecourt/handlers/web"
)

// detached serves what run sends after the handlers have returned, over either version of HTTP. over is closed once run has returned.
func detached(t *testing.T, log io.Writer, two bool, run func(context.Context, *web.Stream)) (server *httptest.Server, over chan struct{}) {
	t.Helper()
	over = make(chan struct{})
	s := web.NewResponder(slog.New(slog.NewTextHandler(log, nil)))
	returned := make(chan struct{})
	handler := web.Identified(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Ours", "kept")
		s.Stream(w, r, func(ctx context.Context, stream *web.Stream) {
			select {
			case <-returned:
			case <-ctx.Done():
			}
			run(ctx, stream)
		}, func() { close(over) })
	}))
	server = httptest.NewUnstartedServer(s.Outlasted(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler.ServeHTTP(w, r)
		close(returned)
	})))
	if server.EnableHTTP2 = two; two {
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	return server, over
}

func ended(t *testing.T, over <-chan struct{}) {
	t.Helper()
	select {
	case <-over:
	case <-time.After(time.Minute):
		t.Fatal("the stream is still open after a minute")
	}
}

func TestAStreamOfEitherVersionIsWholeAndEndsWithItsReader(t *testing.T) {
	t.Parallel()
	for name, two := range map[string]bool{"HTTP/1.1": false, "HTTP/2": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, over := detached(t, io.Discard, two, func(ctx context.Context, s *web.Stream) {
				_ = s.Send([]byte("one"))
				_ = s.SendAs("7", []byte("two"))
				<-ctx.Done()
			})
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Accept", "text/event-stream")
			res, err := server.Client().Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/event-stream" || res.Header.Get("X-Ours") != "kept" ||
				res.Header.Get("X-Request-Id") == "" || (res.ProtoMajor == 2) != two {
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
			leave()
			ended(t, over)
		})
	}
}

func TestAnEndedStreamEndsItsAnswer(t *testing.T) {
	t.Parallel()
	for _, two := range []bool{false, true} {
		server, over := detached(t, io.Discard, two, func(_ context.Context, s *web.Stream) { _ = s.Send([]byte("all")) })
		res := follow(t, server)
		body, err := io.ReadAll(res.Body)
		if err != nil || !strings.HasSuffix(string(body), "data: all\n\n") {
			t.Errorf("%s: %q, %v", res.Proto, body, err)
		}
		ended(t, over)
	}
}

func TestAPanicEndsOneStreamAndIsLoggedWithoutItsValue(t *testing.T) {
	t.Parallel()
	for _, two := range []bool{false, true} {
		var log bytes.Buffer
		server, over := detached(t, &log, two, func(context.Context, *web.Stream) { panic("4111111111111111") })
		res := follow(t, server)
		ended(t, over)
		if !strings.Contains(log.String(), "panic of type string") || strings.Contains(log.String(), "4111") {
			t.Errorf("%s: logged %q", res.Proto, log.String())
		}
	}
}

func TestAStreamThatNeverBeganIsClosed(t *testing.T) {
	t.Parallel()
	s := web.NewResponder(slog.New(slog.DiscardHandler))
	over := make(chan struct{})
	server := httptest.NewUnstartedServer(s.Outlasted(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Stream(w, r, func(context.Context, *web.Stream) {}, func() { close(over) })
		panic(http.ErrAbortHandler)
	})))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	if res, err := server.Client().Do(req); err == nil {
		_ = res.Body.Close()
		t.Errorf("the answer of an aborted handler is %s", res.Status)
	}
	ended(t, over)
}

// follow asks a server for a stream.
func follow(t *testing.T, server *httptest.Server) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	res, err := server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	return res
}
