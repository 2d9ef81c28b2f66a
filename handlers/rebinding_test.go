package handlers_test

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
)

// TestAnotherNameOfTheServerCountsAsAnotherSite requests this server under an attacker's host name (DNS rebinding). The browser then takes the
// attacker's page to be of the same origin, and says so.
func TestAnotherNameOfTheServerCountsAsAnotherSite(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{OtherOrigins: []string{"https://pay.example", "http://shop.example:8080"}})
	id := app.Order(t)
	const same = "same-origin"
	for _, tt := range []struct {
		name          string
		host          string
		origin, fetch string
		refuse        bool
	}{
		{"a stranger's name", "evil.example:8080", "http://evil.example:8080", same, true},
		{"a stranger's name, by an older browser", "evil.example:8080", "http://evil.example:8080", "", true},
		{"a stranger's page that hides its origin", "evil.example:8080", "null", same, true},
		{"a stranger's page in an older browser that sends no header", "evil.example", "", same, true},
		{"a name that ends like ours", "notpay.example", "https://notpay.example", same, true},
		{"our name on another port", "pay.example:444", "https://pay.example:444", same, true},
		{"our name without encryption", "pay.example", "http://pay.example", same, true},
		{"another site that claims to be us", "evil.example", "https://pay.example", "cross-site", true},
		{"our name", "pay.example", "https://pay.example", same, false},
		{"our name, by an older browser", "pay.example", "https://pay.example", "", false},
		{"our name behind a proxy that uses another name for us", "backend.internal", "https://pay.example", same, false},
		{"the same, by an older browser", "backend.internal", "https://pay.example", "", false},
		{"our page that hides its origin", "shop.example:8080", "null", same, false},
		{"an address", "10.0.0.5:8080", "http://10.0.0.5:8080", same, false},
		{"an address of IPv6", "[::1]:8080", "http://[::1]:8080", same, false},
		{"this machine", "localhost:8080", "http://localhost:8080", same, false},
		{"a name in the local network", "till:8080", "http://till:8080", same, false},
		{"a program", "evil.example", "", "", false},
	} {
		header := http.Header{"Host": {tt.host}}
		for name, value := range map[string]string{"Origin": tt.origin, "Sec-Fetch-Site": tt.fetch} {
			if value != "" {
				header.Set(name, value)
			}
		}
		for path, media := range map[string]string{"/pos/panezski": formMedia, "/pos/panezski/" + id: formMedia, "/signin": formMedia, "/api/pos": jsonMedia, "/api/pay": jsonMedia} {
			sent := maps.Clone(header)
			sent.Set("Content-Type", media)
			got := app.Do(t, http.MethodPost, path, strings.NewReader("{}"), sent)
			check.Equal(t, got.Status == http.StatusForbidden, tt.refuse, "%s to %s: %d %.200s", tt.name, path, got.Status, got.Body)
		}
		app.Do(t, http.MethodGet, "/pos/panezski", nil, header).Want(t, http.StatusOK, tt.name+" gets a page")
	}
	// Shops on other sites may send their customers to the hosted page.
	sent := app.Do(t, http.MethodPost, "/sandbox/hps", strings.NewReader(url.Values{"amount": {"x"}}.Encode()), http.Header{
		"Content-Type": {formMedia}, "Origin": {"https://shop.elsewhere.example"}, "Sec-Fetch-Site": {"cross-site"},
	})
	if sent.Status == http.StatusForbidden {
		t.Errorf("the hosted page: %d", sent.Status)
	}
}

const formMedia, jsonMedia = "application/x-www-form-urlencoded", "application/json"
