package account

import (
	"encoding/base64"
	"net/url"
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/secret"
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

func TestAChallengeIsForItsHolderAndForFiveMinutes(t *testing.T) {
	t.Parallel()
	a := &Accounts{keys: secret.Key("key")}
	now := time.Now()
	for name, tt := range map[string]struct {
		at              time.Time
		purpose, holder string
		want            error
	}{
		"in time":         {now.Add(-299 * time.Second), forProof, "ann", nil},
		"too late":        {now.Add(-302 * time.Second), forProof, "ann", ErrChallenge},
		"another purpose": {now, forSignIn, "ann", ErrChallenge},
		"another holder":  {now, forProof, "bob", ErrChallenge},
	} {
		text := base64.RawURLEncoding.EncodeToString(a.challenge(tt.at, tt.purpose, []byte(tt.holder)))
		_, err := a.asked(text, forProof, []byte("ann"))
		check.ErrorIs(t, err, tt.want, "%s", name)
	}
}
