package push_test

import (
	"encoding/base64"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/secret"
	"forecourt/internal/run/push"
)

func TestSetUpNeedsEveryPart(t *testing.T) {
	t.Parallel()
	whole := push.Project{ID: "p", AppID: "a", SenderID: "s", APIKey: secret.New("k")}
	for name, lack := range map[string]func(*push.Project){
		"projectId":         func(p *push.Project) { p.ID = "" },
		"apiKey":            func(p *push.Project) { p.APIKey = secret.Text{} },
		"appId":             func(p *push.Project) { p.AppID = "" },
		"messagingSenderId": func(p *push.Project) { p.SenderID = "" },
	} {
		project := whole
		lack(&project)
		_, err := push.New(nil, push.Config{Project: project}, slog.New(slog.DiscardHandler))
		var missing *push.SetupError
		if !errors.As(err, &missing) || !slices.Equal(missing.Missing, []string{name}) {
			t.Errorf("PUSH-01 without %s: %v", name, err)
		}
	}
}

func TestKeysMustBelongTogether(t *testing.T) {
	t.Parallel()
	one, err := push.DeriveKeys([]byte(strings.Repeat("1", 32)))
	check.Must(t, err)
	other, _ := push.DeriveKeys([]byte(strings.Repeat("2", 32)))
	read, err := push.ReadKeys(one.Public, one.Private.Reveal())
	if err != nil || read.Public != one.Public || read.Private.Reveal() != one.Private.Reveal() {
		t.Errorf("ReadKeys returned %v: %v", read, err)
	}
	raw, _ := base64.RawURLEncoding.DecodeString(one.Public)
	_, err = push.ReadKeys(base64.StdEncoding.EncodeToString(raw), one.Private.Reveal()+"=")
	check.NoError(t, err, "the same pair in plain base64")
	for name, pair := range map[string][2]string{
		"keys of two pairs": {other.Public, one.Private.Reveal()}, "no public key": {"", one.Private.Reveal()}, "no private key": {one.Public, ""},
		"a short private key": {one.Public, "AAAA"}, "a private key of zeros": {one.Public, strings.Repeat("A", 43)}, "not base64": {one.Public, "%"},
	} {
		if _, err := push.ReadKeys(pair[0], pair[1]); err == nil || strings.Contains(err.Error(), one.Private.Reveal()) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
