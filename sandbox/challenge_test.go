package sandbox_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
)

const threeDS = "4000000000003220"

func TestThreeDSecure(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		decision, statuscode, reason string
		charged                      int
	}{
		{"approve", "0", "Approved", 1},
		{"refuse", "1A", "The card holder did not confirm the payment (3-D Secure)", 0},
	} {
		f := start(t, nil)
		_, body := f.pay("ref-1", threeDS)
		page, _ := body["redirect"].(string)
		check.MustEqual(t, page, f.bank+"/sandbox/3ds/ref-1", "the payment redirects to")
		status, html := get(t, page)
		for _, want := range []string{"12.50 AUD", "ending in 3220", `value="approve"`, `value="refuse"`} {
			check.Equal(t, status, 200, "the page answered")
			check.Contains(t, html, want, "the page answered")
		}
		// Pressing again changes nothing, whichever button.
		for _, decision := range []string{tt.decision, tt.decision, "approve", "refuse"} {
			if status, to := decide(t, page, decision); status != 303 || to != "http://127.0.0.1:9/pos/panezski/trx" {
				t.Errorf("%s answered %d and redirects to %q", decision, status, to)
			}
		}
		status, body = f.look("ref-1")
		if status != 200 || at(body, "status.responsetype") != "1" || at(body, "status.statuscode") != tt.statuscode || at(body, "status.errordesc") != tt.reason {
			t.Errorf("after %s look answers %d %v", tt.decision, status, body)
		}
		lines := f.ledger("")
		check.Equal(t, len(lines), tt.charged, "after %s the ledger holds %v", tt.decision, lines)
		_, html = get(t, page)
		check.Lacks(t, html, "<form", "a decided payment still offers the buttons")
	}
}

func TestAClosedChallengeCannotBeApproved(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	_, body := f.pay("ref-1", threeDS)
	f.resolve("ref-1")
	status, _ := decide(t, body["redirect"].(string), "approve")
	check.Equal(t, status, 303, "answered")
	if _, body := f.look("ref-1"); body["state"] != "not_charged" || len(f.ledger("")) != 0 {
		t.Errorf("look answers %v", body)
	}
}

func TestChallengePageIsSafe(t *testing.T) {
	t.Parallel()
	f := start(t, nil)
	f.call("POST", "/api/pay", payment("ref-1", threeDS, map[string]any{"merchantId": "<script>alert(1)</script>"}))
	res, err := http.Get(f.bank + "/sandbox/3ds/ref-1")
	check.Must(t, err)
	res.Body.Close()
	want := "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self' http://127.0.0.1:9"
	check.Equal(t, res.Header.Get("Content-Security-Policy"), want, "Content-Security-Policy")
	_, html := get(t, f.bank+"/sandbox/3ds/ref-1")
	for _, bad := range []string{"<script", "style=", "<style", "onclick", "onsubmit"} {
		check.Lacks(t, html, bad, "the page contains")
	}
	if status, css := get(t, f.bank+"/sandbox/3ds/challenge.css"); status != 200 || !strings.Contains(css, "focus-visible") {
		t.Errorf("the style sheet answers %d", status)
	}
	for _, path := range []string{"/sandbox/3ds/nobody", "/sandbox/3ds/"} {
		status, _ := get(t, f.bank+path)
		check.Equal(t, status, 404, "%s answers", path)
	}
	status, _ := decide(t, f.bank+"/sandbox/3ds/ref-1", "maybe")
	check.Equal(t, status, 422, "an unknown decision answers")
	status, _ = decide(t, f.bank+"/sandbox/3ds/nobody", "approve")
	check.Equal(t, status, 404, "a decision about an unknown payment answers")
}

func decide(t *testing.T, page, decision string) (status int, location string) {
	t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.PostForm(page, url.Values{"decision": {decision}})
	check.Must(t, err)
	res.Body.Close()
	return res.StatusCode, res.Header.Get("Location")
}
