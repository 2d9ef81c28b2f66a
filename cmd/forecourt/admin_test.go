package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// adminAddress reads the address of the operators' listener from the log.
func (p *program) adminAddress() string {
	p.t.Helper()
	for line := range strings.Lines(p.stderr.String()) {
		var entry struct{ Msg, Address string }
		if json.Unmarshal([]byte(line), &entry) == nil && entry.Msg == "admin listener" {
			return entry.Address
		}
	}
	p.t.Fatalf("the log names no admin listener: %s", p.stderr)
	return ""
}

func TestMetricsAndProfilesHaveTheirOwnAddress(t *testing.T) {
	t.Parallel()
	p := start(t, outside(t, dbtest.URL(t), "FORECOURT_ADMIN_ADDR", "127.0.0.1:0", "FORECOURT_DEMO", "on"), "serve")
	public, admin := p.ready(), p.adminAddress()
	for _, path := range []string{"/metrics", "/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/cmdline"} {
		if code, body := get(t, admin+path); code != http.StatusOK || body == "" {
			t.Errorf("%s: %d %.100s", path, code, body)
		}
		if code, body := get(t, public+path); code == http.StatusOK && (!strings.Contains(body, "<html") || strings.Contains(body, "goroutine")) {
			t.Errorf("%s is public: %.100s", path, body)
		}
	}
	code, _ := get(t, admin+"/pos/panezski")
	check.Equal(t, code, http.StatusNotFound, "the site is on the operators' address")
	c := newCustomer(t, public)
	c.json(c.order("panezski"), "panezski", "200", "pan", approves)
	forwarded, err := http.NewRequestWithContext(t.Context(), http.MethodGet, public+"/", nil)
	check.Must(t, err)
	forwarded.Header.Set("X-Forwarded-For", "203.0.113.7") // from an untrusted peer
	res, err := http.DefaultClient.Do(forwarded)
	check.Must(t, err)
	_ = res.Body.Close()
	want := []string{
		`forecourt_payments_total{method="card",outcome="approved"} 1`,
		`forecourt_gateway_call_seconds_count{call="POST /api/pay",outcome="approved"} 1`,
		`forecourt_http_request_seconds_count{method="POST",route="/api/pay",status="200"} 1`,
		"forecourt_database_answers 1", "forecourt_attempts_manual 0", "forecourt_ledger_differences 0", "go_goroutines ",
		"forecourt_untrusted_forwarded_total 1",
		`forecourt_build_info{version="development"} 1`,
	}
	var figures string
	apptest.Eventually(t, "every figure is there", func() bool {
		_, figures = get(t, admin+"/metrics")
		for _, line := range want {
			if !strings.Contains(figures, "\n"+line) {
				return false
			}
		}
		return true
	})
	check.Equal(t, p.end(), 0, "stopped with: %s", p.stderr)
	check.Equal(t, strings.Count(strings.Join(p.all, "\n"), "listening on"), 1, "ready lines in %q", p.all)
	_, err = http.Get(admin + "/metrics")
	check.Error(t, err, "the operators' listener still answers")
}

func TestTheAdminListenerAnswersNoPublicHostName(t *testing.T) {
	t.Parallel()
	handler := byAddress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	for host, want := range map[string]int{
		"127.0.0.1:9090": 204, "[::1]:9090": 204, "10.0.0.7": 204, "localhost:9090": 204, "forecourt:9090": 204,
		"evil.example": 421, "evil.example:9090": 421, "127.0.0.1.evil.example:9090": 421, "": 204,
	} {
		r := httptest.NewRequest(http.MethodGet, "/metrics", nil)
		r.Host = host
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		check.Equal(t, w.Code, want, "Host %q", host)
	}
}
