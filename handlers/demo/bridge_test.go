package demo_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
)

var mainContent = regexp.MustCompile(`(?s)<main[^>]*>(.*)</main>`)

// content returns the words below main.
func content(page string) string {
	inner := mainContent.FindStringSubmatch(page)
	if inner == nil {
		return ""
	}
	return strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(inner[1], " ")), " ")
}

func TestTheDemosAreOpenToAnybody(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for path, title := range map[string]string{
		"/demo": "Stay tuned!", "/demo/bridge": "Pay at a terminal", "/demo/qr": "QR ordering", "/demo/qr/print": "Panezski: 12 tables",
	} {
		v := app.Visit(t, path)
		if v.Status != http.StatusOK || len(v.Texts("h1")) != 1 || v.Texts("h1")[0] != title {
			t.Errorf("SEC-01 %s: %d, headings %q", path, v.Status, v.Texts("h1"))
		}
		policy := v.Header.Get("Content-Security-Policy")
		check.Equal(t, path == "/demo/bridge", strings.Contains(policy, "connect-src 'self' http://localhost:3015;"),
			"%s: wrong connect-src: %s", path, policy)
	}
	check.Equal(t, content(app.Get(t, "/demo").Body), "Stay tuned!", "ROUTE-06 /demo says")
}

func TestTheTerminalDemoBeforeAPayment(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, tt := range []struct{ name, query, amount string }{
		{"five dollars (ROUTE-07 BRIDGE-01)", "", "5.00"},
		{"an amount typed before the scripts arrived", "?amount=7.05", "7.05"},
		{"no amount", "?amount=", "5.00"},
		{"something else", "?amount=%22%3E%3Cscript%3E", "5.00"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := app.Visit(t, "/demo/bridge"+tt.query)
			check.Equal(t, v.Value("amount"), tt.amount, "the amount")
			check.Equal(t, strings.Contains(v.Text(), "No payment was started."), tt.query != "", "it says that no payment was started")
			v.Has("Process Payment", "bin/forecourt bridge", "http://localhost:3015")
			v.Has("The payment needs JavaScript")
			check.Contains(t, v.Body, `{"service":"http://localhost:3015"}`, "BRIDGE-16 the page does not tell its script the service's address")
			if v.Press("Process Payment"); v.Status == http.StatusInternalServerError {
				t.Errorf("without scripts: %d", v.Status)
			}
		})
	}
}
