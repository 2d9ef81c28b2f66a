package web_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/textproto"
	"slices"
	"testing"
	"time"

	"forecourt/handlers/web"
	"forecourt/static"
)

func TestABrowserHearsOfScriptsAndStylesBeforeThePage(t *testing.T) {
	t.Parallel()
	style := "<" + static.URL("customer.css") + ">; rel=preload; as=style"
	var scripts []string
	for _, address := range static.Preload("menu.js") {
		scripts = append(scripts, "<"+address+">; rel=modulepreload")
	}
	all := append([]string{style}, scripts...)
	for _, tt := range []struct {
		name          string
		http2, plain  bool
		mode          string
		held          bool
		early, header []string
	}{
		{name: "a first visit", http2: true, mode: "navigate", early: scripts},
		{name: "a later visit", http2: true, mode: "navigate", held: true, early: all},
		{name: "HTTP/1.1, a first visit", mode: "navigate", header: scripts},
		{name: "HTTP/1.1, a later visit", mode: "navigate", held: true, header: all},
		{name: "without TLS, as behind a proxy", plain: true, mode: "navigate", held: true, header: all},
		{name: "a script of the page", http2: true, mode: "cors", held: true},
		{name: "a program", http2: true, held: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			status := make(chan int, 1)
			observed := web.Observed(func(_, _ string, answered int, _ time.Duration) { status <- answered })
			server := httptest.NewUnstartedServer(observed(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				web.Hint(w, r, "menu.js")
				w.WriteHeader(http.StatusTeapot)
			})))
			server.EnableHTTP2 = tt.http2
			if tt.plain {
				server.Start()
			} else {
				server.StartTLS()
			}
			var hints []string
			ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{Got1xxResponse: func(code int, header textproto.MIMEHeader) error {
				if code == http.StatusEarlyHints {
					hints = append(hints, header["Link"]...)
				}
				return nil
			}})
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Sec-Fetch-Mode", tt.mode)
			if tt.held {
				req.AddCookie(web.StyleCookie("customer.css", true))
			}
			res, err := server.Client().Do(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
			server.Close()
			if !slices.Equal(hints, tt.early) {
				t.Errorf("early hints %q, want %q", hints, tt.early)
			}
			if counted := <-status; res.StatusCode != http.StatusTeapot || counted != http.StatusTeapot || !slices.Equal(res.Header["Link"], tt.header) {
				t.Errorf("then the answer %d, counted as %d, with %v, want %q", res.StatusCode, counted, res.Header, tt.header)
			}
		})
	}
}
