package pay_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func TestTheDemoPayment(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Gateway: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("PAY-47 the demo called the gateway")
	})})
	dbtest.Exec(t, app.Pool, "UPDATE shop SET live = true WHERE code = 'panezski'")
	for _, tt := range []struct{ name, query, view string }{
		{"without a result (PAY-47)", "", "success"},
		{"result success (PAY-46)", "?result=success", "success"},
		{"result error (PAY-46)", "?result=error", "failure"},
		{"any other result (PAY-46 PAY-13)", "?result=on+hold", "text"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := app.Visit(t, "/pos/panezski/demo"+tt.query)
			if v.Status != http.StatusOK || state(v) != "form" {
				t.Fatalf("PAY-02 %d %q", v.Status, state(v))
			}
			v.Has("1,000.52 AUD", "Ref demo", "Pay $1,000.52", "TEST MODE", "Powered by") // PAY-03
			start := time.Now()
			v.Press("Pay $1,000.52")
			check.Equal(t, state(v), tt.view, "paying leads to")
			if waited := time.Since(start); waited < 2*time.Second {
				t.Errorf("PAY-46 after %s, want at least 2 s", waited)
			}
			if tt.view == "text" {
				v.Has("on hold")
			}
			if tt.view == "failure" {
				if v.Press("Try Again?"); state(v) != "form" || !strings.Contains(v.Path, "result=error") {
					t.Errorf("PAY-34 Try Again leads to %s, %q", v.Path, state(v))
				}
			}
		})
	}
}

func TestHostileDemoResults(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, result := range []string{"%3Cscript%3Ealert(1)%3C/script%3E", "%00", "%ff", strings.Repeat("%E2%82%AC", 40), "new", "processing", "paid", "expired", "%0d%0aX-Evil:1", "completed"} {
		got := app.Get(t, "/pos/panezski/demo?paid=1&result="+result)
		if got.Status != http.StatusOK || strings.Contains(got.Body, "<script>alert") || got.Header.Get("X-Evil") != "" {
			t.Errorf("%s: %d", result, got.Status)
		}
		check.Equal(t, strings.ToValidUTF8(got.Body, ""), got.Body, "%.20s: the page is not UTF-8", result)
	}
}
