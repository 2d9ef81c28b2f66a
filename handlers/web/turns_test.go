package web_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"strings"
	"testing"

	"forecourt/handlers/web"
	"forecourt/internal/kit/check"
	"forecourt/internal/run/throttle"
)

// All networks together have places for twice as many answers as there are processors. A sender who is slow holds none of them.
func TestAnswersAreMadeInTurn(t *testing.T) {
	t.Parallel()
	arrived, leave, sent := make(chan string), make(chan struct{}), make(chan struct{})
	site := web.Limited(100)(web.NewTurns().InTurn(web.NewResponder(slog.New(slog.DiscardHandler)), func(w http.ResponseWriter,
		r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		arrived <- r.URL.Path + string(body)
		switch r.URL.Path {
		case "/making":
			<-leave
		case "/sending":
			w.WriteHeader(http.StatusOK)
			sent <- struct{}{}
			<-leave
		}
	}))
	ask := func(client, path string, body io.Reader) {
		go func() {
			req := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, body)
			if client != "" {
				req = req.WithContext(throttle.As(req.Context(), throttle.From(netip.MustParseAddr(client))))
			}
			site.ServeHTTP(httptest.NewRecorder(), req)
		}()
	}
	slow, _ := io.Pipe()
	for range 4 * runtime.GOMAXPROCS(0) {
		ask("203.0.113.1", "/making", slow)
		ask("203.0.113.1", "/sending", nil)
		check.Equal(t, <-arrived, "/sending", "before the body of another is here, …")
		<-sent
	}
	for range runtime.GOMAXPROCS(0) {
		ask("203.0.113.1", "/making", strings.NewReader(" one"))
		check.Equal(t, <-arrived, "/making one", "on a free place")
	}
	ask("203.0.113.1", "/making", strings.NewReader(" more"))
	ask("", "/", nil)
	check.Equal(t, <-arrived, "/", "this machine waits for nobody, but …")
	for range runtime.GOMAXPROCS(0) {
		ask("203.0.113.2", "/making", nil)
		check.Equal(t, <-arrived, "/making", "in another network")
	}
	ask("203.0.113.3", "/", nil)
	leave <- struct{}{} // one that is being made or sent
	close(leave)
	got := []string{<-arrived, <-arrived}
	check.Equal(t, strings.Contains(strings.Join(got, ""), "/making more"), true, "once there is a place, who waited gets it: %q", got)
}
