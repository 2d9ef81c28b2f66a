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
	command := func(args ...string) (int, string, string) {
		var stdout, stderr strings.Builder
		code := run(t.Context(), append([]string{"invite"}, args...), from(values), &stdout, &stderr)
		return code, stdout.String(), stderr.String()
	}
	type made struct {
		DocID, Link, Email, Client, SecretKey string
		ExpiresAt                             time.Time
	}
	read := func(text string) (m made) {
		check.Must(t, json.Unmarshal([]byte(text), &m), "%s", text)
		return m
	}
	code, text, stderr := command("create", "--client", "panezski", "--email", "Ann@example.com", "--days", "7", "--json")
	first := read(text)
	if code != 0 || first.Link != "https://pay.example/onboarding/tokengen/"+first.DocID || first.Email != "ann@example.com" ||
		len(first.SecretKey) < 22 || time.Until(first.ExpiresAt) > 7*24*time.Hour {
		t.Errorf("%d %s %s", code, text, stderr)
	}
	if code, text, _ := command("reissue", first.DocID, "--json"); code != 0 ||
		read(text).DocID == first.DocID || read(text).SecretKey == first.SecretKey {
		t.Errorf("reissued: %d %s", code, text)
	} else {
		first = read(text)
	}
	if code, text, _ := command("revoke", first.DocID); code != 0 || !strings.Contains(text, "is revoked") {
		t.Errorf("revoked: %d %s", code, text)
	}
	code, text, _ = command("list", "--json")
	var users []invite.User
	if err := json.Unmarshal([]byte(text), &users); code != 0 || err != nil || len(users) != 2 || users[1].State != invite.Revoked {
		t.Errorf("listed: %d %v %s", code, err, text)
	}
	if code, text, _ := command("list"); code != 0 || strings.Contains(text, first.SecretKey) || !strings.Contains(text, "demo-invite") {
		t.Errorf("listed: %d %s", code, text)
	}
	code, text, _ = command("create", "--client", "panezski", "--email", "bob@example.com")
	if code != 0 || strings.Count(text, "\n") != 4 || !strings.Contains(text, "Secret key") {
		t.Errorf("for people: %d %s", code, text)
	}
	code, text, _ = command("create", "--client", "panezski", "--email", "cy@example.com", "--mail", "--json")
	mailed := read(text)
	apptest.Eventually(t, "the link is mailed", func() bool {
		_, outbox := get(t, address+"/dev/outbox")
		return strings.Contains(outbox, "cy@example.com")
	})
	_, outbox := get(t, address+"/dev/outbox")
	letter := regexp.MustCompile(`/dev/outbox/[0-9a-f-]{36}[^"]*`).FindString(outbox)
	if _, body := get(t, address+letter); code != 0 ||
		!strings.Contains(outbox+body, mailed.DocID) || strings.Contains(outbox+body, mailed.SecretKey) {
		t.Errorf("mailed %s: %d %s", letter, code, body)
	}
	for _, tt := range []struct {
		args []string
		code int
		says string
	}{
		{nil, 2, "expected one of"},
		{[]string{"nonsense"}, 2, "nonsense"},
		{[]string{"create"}, 2, "missing flags: --client=CODE, --email=ADDRESS"},
		{[]string{"create", "--client", "nobody", "--email", "a@example.com"}, 1, "no such client"},
		{[]string{"create", "--client", "panezski", "--email", "a"}, 2, "not an email address"},
		{[]string{"create", "--client", "panezski", "--email", "a@example.com", "--days", "0"}, 2, "1 to 365 days"},
		{[]string{"revoke"}, 2, `expected "<id>"`},
		{[]string{"revoke", "unknown"}, 1, "no such invite"},
		{[]string{"reissue", "unknown"}, 1, "no such invite"},
		{[]string{"reissue", first.DocID, "more"}, 2, "more"},
	} {
		code, text, stderr := command(tt.args...)
		if code != tt.code || text != "" || !strings.Contains(stderr, tt.says) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: %d %q %q", tt.args, code, text, stderr)
		}
	}
	check.Equal(t, p.end(), 0, "stopped with: %s", p.stderr)
	said := strings.Join(p.all, "\n")
	if !strings.Contains(said, "/onboarding/tokengen/demo-invite") || !strings.Contains(said, "secret key demo-secret-key") {
		t.Errorf("the demo's link is not printed: %s", said)
	}
}
