package demo_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/site/legal"
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
	app.Visit(t, "/demo").Follow("QR ordering")
}

func TestTheTerminalDemoBeforeAPayment(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	for _, tt := range []struct{ name, query, amount string }{
		{"five dollars (ROUTE-07 BRIDGE-01)", "", "5.00"},
		{"an amount typed before the scripts arrived", "?amount=7.05", "7.05"},
		{"an amount with its sign", "?amount=%241,007.05+", "1007.05"},
		{"no amount is wrong", "?amount=", ""},
		{"nothing is wrong", "?amount=0.00", "0.00"},
		{"a comma is wrong", "?amount=12,50", "12,50"},
		{"something else is wrong", "?amount=%22%3E%3Cscript%3E", `"><script>`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := app.Visit(t, "/demo/bridge"+tt.query)
			check.Equal(t, v.Value("amount"), tt.amount, "the amount")
			check.Equal(t, strings.Contains(v.Text(), "No payment was started."), tt.query != "", "it says that no payment was started")
			check.Equal(t, strings.Contains(v.Text(), "Enter an amount above zero, such as 5.00"), strings.HasSuffix(tt.name, "wrong"),
				"it says what is wrong")
			v.Has("Process Payment", "bin/forecourt bridge", "http://localhost:3015")
			v.Has("The payment needs JavaScript")
			check.Contains(t, v.Body, `{"service":"http://localhost:3015"}`, "BRIDGE-16 the page does not tell its script the service's address")
			if v.Press("Process Payment"); v.Status == http.StatusInternalServerError {
				t.Errorf("without scripts: %d", v.Status)
			}
		})
	}
}

func TestTheTerminalServiceIsDownloaded(t *testing.T) {
	t.Parallel()
	none := apptest.New(t, apptest.Options{Live: true})
	none.Visit(t, "/demo/bridge").Has("You get it from").HasNot("Download for", "bin/forecourt")
	folder := t.TempDir()
	check.Must(t, os.WriteFile(filepath.Join(folder, "windows-amd64.exe"), []byte("MZ program"), 0o600))
	check.Must(t, os.WriteFile(filepath.Join(folder, "notes.txt"), []byte("of the operator"), 0o600))
	app := apptest.New(t, apptest.Options{Live: true, BridgeDir: folder, Provider: legal.Provider{Name: "Southpay"}})
	v := app.Visit(t, "/demo/bridge").Has("Download for Windows", "./southpay-terminal-linux-amd64 --origin "+app.URL).HasNot("Download for Linux")
	check.Lacks(t, v.Text(), "Forecourt", "the page of another provider")
	got := app.Get(t, "/demo/bridge/windows-amd64.exe")
	check.Equal(t, got.Body, "MZ program", "BRIDGE-32 the file")
	check.Equal(t, got.Header.Get("Content-Disposition"), `attachment; filename="southpay-terminal-windows-amd64.exe"`, "its name")
	for _, other := range []string{"notes.txt", "linux-amd64", "..%2Fnotes.txt"} {
		check.Equal(t, app.Get(t, "/demo/bridge/"+other).Status, http.StatusNotFound, "%s", other)
	}
}
