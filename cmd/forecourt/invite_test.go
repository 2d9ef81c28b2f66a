package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/people/invite"
)

func TestInvitingUsersByCommand(t *testing.T) {
	t.Parallel()
	values := outside(t, dbtest.URL(t), "FORECOURT_URL", "https://pay.example", "FORECOURT_DEMO", "on")
	p := start(t, values, "serve")
	address := p.ready()
	o := shell{t, values}
	type made struct {
		DocID, Link, Email, Client, SecretKey string
		ExpiresAt                             time.Time
	}
	invites := func(args ...string) (m made) {
		t.Helper()
		text := o.does(0, append([]string{"invite"}, append(args, "--json")...)...)
		check.Must(t, json.Unmarshal([]byte(text), &m), "%s", text)
		return m
	}
	first := invites("create", "--client", "panezski", "--email", "Ann@example.com", "--days", "7")
	if first.Link != "https://pay.example/onboarding/tokengen/"+first.DocID || first.Email != "ann@example.com" ||
		len(first.SecretKey) < 22 || time.Until(first.ExpiresAt) > 7*24*time.Hour {
		t.Errorf("%+v", first)
	}
	again := invites("reissue", first.DocID)
	if again.DocID == first.DocID || again.SecretKey == first.SecretKey {
		t.Errorf("reissued: %+v", again)
	}
	o.says(0, "is revoked", "invite", "revoke", again.DocID)
	text := o.does(0, "invite", "list", "--json")
	var users []invite.User
	if err := json.Unmarshal([]byte(text), &users); err != nil || len(users) != 2 || users[1].State != invite.Revoked {
		t.Errorf("listed: %v %s", err, text)
	}
	check.Lacks(t, o.says(0, "demo-invite", "invite", "list"), again.SecretKey, "the list")
	text = o.says(0, "Secret key", "invite", "create", "--client", "panezski", "--email", "bob@example.com")
	check.Equal(t, strings.Count(text, "\n"), 4, "lines for people: %s", text)
	mailed := invites("create", "--client", "panezski", "--email", "cy@example.com", "--mail")
	apptest.Eventually(t, "the link is mailed", func() bool {
		_, outbox := get(t, address+"/dev/outbox")
		return strings.Contains(outbox, "cy@example.com")
	})
	_, outbox := get(t, address+"/dev/outbox")
	_, letter := get(t, address+regexp.MustCompile(`/dev/outbox/[0-9a-f-]{36}[^"]*`).FindString(outbox))
	check.Contains(t, letter, mailed.DocID, "the letter")
	check.Lacks(t, outbox+letter, mailed.SecretKey, "the outbox")
	for _, tt := range []struct {
		args string
		code int
		says string
	}{
		{"", 2, "expected one of"},
		{"nonsense", 2, "nonsense"},
		{"create", 2, "missing flags: --client=CODE, --email=ADDRESS"},
		{"create --client nobody --email a@example.com", 1, "no such client"},
		{"create --client panezski --email a", 2, "not an email address"},
		{"create --client panezski --email a@example.com --days 0", 2, "1 to 365 days"},
		{"revoke", 2, `expected "<id>"`},
		{"revoke unknown", 1, "no such invite"},
		{"reissue unknown", 1, "no such invite"},
		{"reissue " + again.DocID + " more", 2, "more"},
	} {
		o.fails(tt.code, tt.says, append([]string{"invite"}, strings.Fields(tt.args)...)...)
	}
	check.Equal(t, p.end(), 0, "stopped with: %s", p.stderr)
	said := strings.Join(p.all, "\n")
	if !strings.Contains(said, "/onboarding/tokengen/demo-invite") || !strings.Contains(said, "secret key demo-secret-key") {
		t.Errorf("the demo's link is not printed: %s", said)
	}
}
