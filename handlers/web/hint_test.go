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

func TestABrowserGetsEarlyHints(t *testing.T) {
	t.Parallel()
	style := "<" + static.URL("customer.css") + ">; rel=preload; as=style"
	script := "<" + static.URL("menu.js") + ">; rel=modulepreload"
	for _, tt := range []struct {
		name           string
		http2, plain   bool
		mode           string
		held           bool
		style, scripts bool
	}{
		{name: "a first visit", http2: true, mode: "navigate", scripts: true},
		{name: "a later visit", http2: true, mode: "navigate", held: true, style: true, scripts: true},
		{name: "HTTP/1.1", mode: "navigate", held: true},
		{name: "without TLS, as behind a proxy", plain: true, mode: "navigate", held: true},
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
			if slices.Contains(hints, style) != tt.style || slices.Contains(hints, script) != tt.scripts || !tt.style && !tt.scripts && hints != nil {
				t.Errorf("hints %q", hints)
			}
			if counted := <-status; res.StatusCode != http.StatusTeapot || counted != http.StatusTeapot || res.Header["Link"] != nil {
				t.Errorf("then the answer %d, counted as %d, with %v", res.StatusCode, counted, res.Header)
			}
		})
	}
}
