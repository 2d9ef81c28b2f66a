package account

import (
	"net/url"
	"testing"

	"forecourt/internal/kit/check"
)

func TestPasskeysAreBoundToOneName(t *testing.T) {
	t.Parallel()
	others := []string{"https://kiosk.pay.example", "https://pay.example", "https://evil.example", "https://pay.example.evil.example", "https://evilpay.example", "http://192.0.2.7"}
	for public, want := range map[string][]string{
		"https://pay.example":      {"https://pay.example", "https://kiosk.pay.example"},
		"https://PAY.example:8443": {"https://PAY.example:8443", "https://kiosk.pay.example", "https://pay.example"},
		"http://127.0.0.1:8080":    {"http://localhost:8080"},
		"http://192.0.2.7":         nil,
	} {
		at, err := url.Parse(public)
		check.Must(t, err)
		party, err := relyingParty(at, others, "Forecourt")
		check.Must(t, err)
		var got []string
		if party != nil {
			got = party.Config.RPOrigins
		}
		check.List(t, got, want, "%s accepts answers from", public)
	}
}
