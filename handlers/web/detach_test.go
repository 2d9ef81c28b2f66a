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

// detached serves what run sends over either version of HTTP; over is closed when it has ended.
func detached(t *testing.T, log io.Writer, two bool, run func(context.Context, *web.Stream)) (server *httptest.Server, over chan struct{}) {
	t.Helper()
	over = make(chan struct{})
	s := web.NewResponder(slog.New(slog.NewTextHandler(log, nil)))
	server = httptest.NewUnstartedServer(web.Identified(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Ours", "kept")
		s.Stream(w, r, run, func() { close(over) })
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
	case <-time.After(10 * time.Second):
		t.Fatal("the stream is still open after 10 s")
	}
}

func TestAStreamOfEitherVersionIsWholeAndEndsAsItsReaderLeaves(t *testing.T) {
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

func TestAStreamThatIsOverEndsItsAnswer(t *testing.T) {
	t.Parallel()
	server, over := detached(t, io.Discard, false, func(_ context.Context, s *web.Stream) { _ = s.Send([]byte("all")) })
	res, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || !strings.HasSuffix(string(body), "data: all\n\n") {
		t.Errorf("%q, %v", body, err)
	}
	ended(t, over)
}

func TestAPanicEndsOneStreamAndIsLoggedWithoutItsValue(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	server, over := detached(t, &log, false, func(context.Context, *web.Stream) { panic("4111111111111111") })
	res, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	ended(t, over)
	if !strings.Contains(log.String(), "panic of type string") || strings.Contains(log.String(), "4111") {
		t.Errorf("logged %q", log.String())
	}
}
