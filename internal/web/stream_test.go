package web_test

import (
	"bufio"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"forecourt/internal/web"
)

// streamed serves what send writes and returns the answer and its lines.
func streamed(t *testing.T, limit time.Duration, send func(*web.Stream)) (*http.Response, *bufio.Scanner) {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stream, err := web.OpenStream(w)
		if err != nil {
			t.Error(err)
			return
		}
		send(stream)
	}))
	server.Config.ReadTimeout, server.Config.WriteTimeout = limit, limit
	server.Start()
	t.Cleanup(server.Close)
	res, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	return res, bufio.NewScanner(res.Body)
}

func TestAStreamOutlastsTheServersLimits(t *testing.T) {
	t.Parallel()
	const limit = 50 * time.Millisecond
	res, lines := streamed(t, limit, func(s *web.Stream) {
		_ = s.Send([]byte("first"))
		<-time.After(4 * limit)
		_ = s.Beat()
		_ = s.Send([]byte("second"))
	})
	if got := res.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("Content-Type %q", got)
	}
	if got := res.Header.Get("Cache-Control"); !strings.Contains(got, "no-cache") {
		t.Errorf("Cache-Control %q", got)
	}
	var got []string
	for lines.Scan() {
		if line := lines.Text(); line != "" && !strings.HasPrefix(line, "retry: ") {
			got = append(got, line)
		}
	}
	if strings.Join(got, "|") != "data: first|:|data: second" || lines.Err() != nil {
		t.Errorf("%q, %v", got, lines.Err())
	}
}

func TestWhatIsSentCannotPassForAnotherEvent(t *testing.T) {
	t.Parallel()
	res, _ := streamed(t, time.Minute, func(s *web.Stream) { _ = s.Send([]byte("a\nevent: b\r\rid: c\r\n\nretry: 1")) })
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	_, message, _ := strings.Cut(string(body), "\n\n")
	if want := "data: a\ndata: event: b\ndata: \ndata: id: c\ndata: \ndata: retry: 1\n\n"; message != want {
		t.Errorf("%q, want %q", message, want)
	}
}
