package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

func TestOperatorsMakeAndChangeAccounts(t *testing.T) {
	t.Parallel()
	values := outside(t, dbtest.URL(t), "FORECOURT_DEMO", "on")
	p := start(t, values, "serve")
	address := p.ready()
	command := func(stdin string, args ...string) (int, string) {
		var out strings.Builder
		env := environment{getenv: from(values), stdin: strings.NewReader(stdin), stdout: &out, stderr: &out}
		return env.run(t.Context(), append([]string{"user"}, args...)), out.String()
	}
	signIn := func(email, password, want string) {
		t.Helper()
		newCustomer(t, address).send(http.MethodPost, "/signin", formType, url.Values{"email": {email}, "password": {password}}.Encode(), want)
	}

	code, out := command("", "add", "Ann@Example.com", "--name", "Ann Lee", "--json")
	var made struct{ Email, Password string }
	if err := json.Unmarshal([]byte(out), &made); err != nil || code != 0 || made.Email != "ann@example.com" {
		t.Fatalf("add: %d %s", code, out)
	}
	signIn(made.Email, made.Password, "303")
	if code, out := command("Typed-pass-1\n", "password", "ann@example.com", "--stdin"); code != 0 || strings.Contains(out, "Typed") {
		t.Errorf("password: %d %s", code, out)
	}
	signIn(made.Email, made.Password, "422")
	signIn(made.Email, "Typed-pass-1", "303")
	if code, out := command("", "password", "ann@example.com"); code != 0 || !strings.Contains(out, "\nPassword: ") {
		t.Errorf("a generated password: %d %s", code, out)
	}
	for _, args := range [][]string{
		{"staff", "ann@example.com"}, {"staff", "ann@example.com", "--off"}, {"--staff", "ann@example.com"},
		{"admin", "ann@example.com", "--client", "sabona"}, {"admin", "ann@example.com", "--client", "panezski"},
		{"admin", "ann@example.com", "--client", "sabona", "--off"},
	} {
		if code, out := command("", args...); code != 0 || !strings.HasPrefix(out, "ann@example.com is ") {
			t.Errorf("%v: %d %s", args, code, out)
		}
	}
	code, out = command("", "list", "--json")
	var list []struct {
		Email, Name string
		Staff       bool
		Admin       []string
	}
	if err := json.Unmarshal([]byte(out), &list); err != nil || code != 0 || len(list) != 3 {
		t.Fatalf("list: %d %s", code, out)
	}
	if ann := list[2]; ann.Email != "ann@example.com" || ann.Name != "Ann Lee" ||
		!ann.Staff || len(ann.Admin) != 1 || ann.Admin[0] != "panezski" {
		t.Errorf("ann is %+v", ann)
	}
	if code, out := command("", "list"); code != 0 || !strings.Contains(out, "demo@forecourt.test") {
		t.Errorf("list: %d %s", code, out)
	}
	check.Lacks(t, out, "argon2", "the list holds hashes")
	for _, tt := range []struct {
		stdin, says string
		args        []string
		code        int
	}{
		{"", "the address has an account", []string{"add", "ann@example.com"}, 1},
		{"", "email: Enter an email address like name@example.com.", []string{"add", "ann"}, 2},
		{"weak\n", "password: Password requires at least Uppercase, Number, Special character", []string{"add", "bob@example.com", "--stdin"}, 2},
		{"", "Password requires at least Uppercase, Lowercase", []string{"add", "bob@example.com", "--stdin"}, 2},
		{"", "no account with that email", []string{"password", "bob@example.com"}, 1},
		{"", "no account with that email", []string{"staff", "bob@example.com"}, 1},
		{"", "no account with that email", []string{"admin", "bob@example.com", "--client", "sabona"}, 1},
		{"", "no account with that email", []string{"two-step", "bob@example.com", "--off"}, 1},
		{"", "the account has no second step", []string{"two-step", "ann@example.com", "--off"}, 1},
		{"", "missing flags: --off", []string{"two-step", "ann@example.com"}, 2},
		{"", "no such business", []string{"admin", "ann@example.com", "--client", "nowhere"}, 1},
		{"", "missing flags: --client", []string{"admin", "ann@example.com"}, 2},
		{"", `expected "<email>"`, []string{"add"}, 2},
		{"", "unexpected argument Typed-pass-1", []string{"add", "bob@example.com", "Typed-pass-1"}, 2},
		{"", "unexpected argument remove", []string{"remove", "ann@example.com"}, 2},
		{"", "expected one of", nil, 2},
	} {
		if code, out := command(tt.stdin, tt.args...); code != tt.code || !strings.Contains(out, tt.says) || strings.Count(out, "\n") != 1 {
			t.Errorf("%v: %d %q, want %q", tt.args, code, out, tt.says)
		}
	}
	check.Equal(t, p.end(), 0, "stopped with: %s", p.stderr)
	if log := p.stderr.String(); strings.Contains(log, "Typed-pass-1") || strings.Contains(log, made.Password) {
		t.Error("the log holds a password")
	}
}
