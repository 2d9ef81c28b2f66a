//go:build long

package deploy_test

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/certificate/pebbletest"
)

// back is the program behind a proxy. Its answers describe the request that it got.
func back(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/readyz":
		if unready.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			refused.Add(1)
		}
	case "/stream":
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 2 {
			fmt.Fprintf(w, "data: %d\n\n", i)
			_ = http.NewResponseController(w).Flush()
			if i == 0 { // the next event is sent once the first has arrived
				select {
				case <-arrived:
				case <-time.After(10 * time.Second):
				}
			}
		}
	case "/closed":
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprint(w, "our own page")
	default:
		n, _ := io.Copy(io.Discard, r.Body)
		fmt.Fprintf(w, "%s %s %d", r.Header.Values("X-Forwarded-For"), r.Host, n)
	}
}

var (
	arrived = make(chan bool)
	unready atomic.Bool  // its database is away
	refused atomic.Int32 // a proxy's health checks that failed in that time
)

// TestEachProxyPassesEverythingAndLogsNoToken needs Debian's haproxy, nginx and caddy; make proxies installs them.
func TestEachProxyPassesEverythingAndLogsNoToken(t *testing.T) {
	paths := tokenPaths(t)
	for name := range proxies {
		t.Run(name, func(t *testing.T) {
			program := httptest.NewServer(http.HandlerFunc(back))
			defer program.Close()
			secure := pebbletest.Free(t)
			_, port, _ := net.SplitHostPort(secure)
			log := startProxy(t, name, secure, strings.TrimPrefix(program.URL, "http://"))
			client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true, ServerName: "pay.example"}}}
			ask := func(method, path string, body io.Reader) (*http.Response, string, error) {
				req, err := http.NewRequestWithContext(t.Context(), method, "https://"+secure+path, body)
				if err != nil {
					t.Fatal(err)
				}
				req.Host = "pay.example:" + port
				req.Header.Set("X-Forwarded-For", "203.0.113.66")
				req.Header.Set("Referer", "https://pay.example/receipt/"+token)
				res, err := client.Do(req)
				if err != nil {
					return nil, "", err
				}
				if path == "/stream" {
					return res, "", nil
				}
				defer func() { _ = res.Body.Close() }()
				text, err := io.ReadAll(res.Body)
				return res, string(text), err
			}
			apptest.Eventually(t, name+" answers", func() bool {
				res, _, err := ask(http.MethodGet, "/", nil)
				return err == nil && res.StatusCode == http.StatusOK
			})
			if _, got, err := ask(http.MethodPost, "/upload", strings.NewReader(strings.Repeat("x", 12<<20))); err != nil || got != fmt.Sprintf("[127.0.0.1] pay.example:%s %d", port, 12<<20) {
				t.Errorf("after uploading a picture: %.300s, %v", got, err)
			}
			if res, got, err := ask(http.MethodGet, "/closed", nil); err != nil || res.StatusCode != http.StatusServiceUnavailable || got != "our own page" {
				t.Errorf("our own error page: %s, %v", got, err)
			}
			if res, _, err := ask(http.MethodGet, "/stream", nil); err != nil {
				t.Error(err)
			} else {
				lines := bufio.NewScanner(res.Body)
				if !lines.Scan() || lines.Text() != "data: 0" {
					t.Errorf("the first event did not arrive by itself: %q", lines.Text())
				}
				select {
				case arrived <- true:
				case <-time.After(10 * time.Second):
				}
				for lines.Scan() {
				}
				_ = res.Body.Close()
			}
			for _, path := range paths {
				if _, _, err := ask(http.MethodGet, path+"?x="+token, nil); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			}
			if name != "nginx" { // nginx has no health checks
				unready.Store(true)
				before := refused.Load()
				apptest.Eventually(t, name+" has noticed that no program is ready", func() bool { return refused.Load() > before+3 })
				if res, got, err := ask(http.MethodGet, "/closed", nil); err != nil || res.StatusCode != http.StatusServiceUnavailable || got != "our own page" {
					t.Errorf("our own error page while no program is ready: %s, %v", got, err)
				}
				unready.Store(false)
			}
			program.Close()
			if res, _, err := ask(http.MethodGet, "/reset/"+token, nil); err == nil && res.StatusCode < 500 {
				t.Errorf("without a program behind the proxy: %d", res.StatusCode)
			}
			if name == "haproxy" {
				apptest.Eventually(t, "haproxy has noticed that the program is gone", func() bool {
					res, _, err := ask(http.MethodGet, "/api/pay", nil)
					return err == nil && res.Header.Get("Content-Type") == "application/json"
				})
				for path, want := range map[string][2]string{
					"/pos/panezski": {"text/html; charset=utf-8", "not available right now"},
					"/api/pay":      {"application/json", `{"error":"The service is not available just now. Please try again in a moment."}`},
				} {
					res, got, err := ask(http.MethodGet, path, nil)
					if err != nil || res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Content-Type") != want[0] || !strings.Contains(got, want[1]) || res.Header.Get("Retry-After") != "5" {
						t.Errorf("%s without a program: %+v %s, %v", path, res, got, err)
					}
				}
			}
			if _, _, err := ask(http.MethodGet, "/last", nil); err != nil {
				t.Error(err)
			}
			apptest.Eventually(t, "the log holds the last request", func() bool { return strings.Contains(log(), "/last") })
			said := log()
			if !strings.Contains(said, "/merchant/join") {
				t.Errorf("the log lacks the requests:\n%.2000s", said)
			}
			for line := range strings.Lines(said) {
				if strings.Contains(line, token) {
					t.Errorf("the log holds a token: %.600s", line)
				}
			}
		})
	}
}
