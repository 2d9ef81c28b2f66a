package web_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"forecourt/handlers/web"
	"forecourt/internal/kit/check"
	"forecourt/internal/run/throttle"
)

func TestANetworkHasFewRequestsAtOnce(t *testing.T) {
	t.Parallel()
	first, slots := throttle.NewPlaces(10, 1, 0), throttle.NewPlaces(3, 2, 0)
	arrived, leave := make(chan struct{}), make(chan struct{})
	s := web.NewResponder(slog.New(slog.DiscardHandler))
	proxies := web.Proxies{netip.MustParsePrefix("10.0.0.1/32")}
	site := s.FewAtOnce(web.Busy{First: first, Places: slots, Proxies: proxies,
		Known: nobody})(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			arrived <- struct{}{}
			<-leave
		}
	}))
	ask := func(path, client string) *httptest.ResponseRecorder {
		req, answer := httptest.NewRequest(http.MethodPost, path, nil), httptest.NewRecorder()
		req.RemoteAddr = "10.0.0.1:4000"
		req.Header.Set("X-Forwarded-For", client)
		site.ServeHTTP(answer, req)
		return answer
	}
	slow := func(client string) {
		go ask("/slow", client)
		<-arrived
	}
	for n := range 3 { // one of the first, and two
		slow(fmt.Sprintf("2001:db8:0:%d::1", n))
	}
	for _, tt := range []struct {
		what, path, client string
		want               int
		says               string
	}{
		{"a fourth of the network", "/", "2001:db8:0:3::1", 503, "Back in a moment"},
		{"a call of the network", "/api/payments", "2001:db8:0:3::1", 503, `{"error":`},
		{"another network", "/", "203.0.113.1", 200, ""},
	} {
		got := ask(tt.path, tt.client)
		if got.Code != tt.want || !strings.Contains(got.Body.String(), tt.says) || (got.Code == 503) != (got.Header().Get("Retry-After") == "5") {
			t.Errorf("%s: %d, Retry-After %q, %s", tt.what, got.Code, got.Header().Get("Retry-After"), got.Body)
		}
	}
	slow("203.0.113.1")
	slow("203.0.113.1")
	check.Equal(t, ask("/", "203.0.113.1").Code, 503, "one more than there may be in all")
	check.Equal(t, ask("/", "203.0.113.2").Code, 200, "the first of another network then")
	here, answer := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()
	here.RemoteAddr = "127.0.0.1:4000"
	site.ServeHTTP(answer, here)
	check.Equal(t, answer.Code, 200, "a request of this machine")
	close(leave)
}

func nobody(*http.Request) (who throttle.Who, ok bool) { return who, false }

func TestAStreamGivesItsSlotBack(t *testing.T) {
	t.Parallel()
	for _, two := range []bool{false, true} {
		slots, open := throttle.NewPlaces(1, 1, 0), make(chan int, 1)
		s := web.NewResponder(slog.New(slog.DiscardHandler))
		site := s.FewAtOnce(web.Busy{First: throttle.NewPlaces(0, 0, 0), Places: slots,
			Known: nobody})(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, err := web.OpenStream(w, r)
			check.NoError(t, err)
			open <- slots.Taken()
		}))
		server := serve(t, two, func(w http.ResponseWriter, r *http.Request) {
			r.RemoteAddr = "203.0.113.1:4000"
			site.ServeHTTP(w, r)
		})
		res, err := server.Client().Get(server.URL)
		check.Must(t, err)
		_ = res.Body.Close()
		check.Equal(t, <-open, 0, "%s: an open stream holds … slots", res.Proto)
	}
}
