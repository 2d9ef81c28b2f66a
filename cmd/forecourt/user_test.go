package main

import (
	"encoding/json"
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
	o := shell{t, values}
	signIn := func(email, password, want string) {
		t.Helper()
		newCustomer(t, address).signIn(email, password, want)
	}

	out := o.does(0, "user", "add", "Ann@Example.com", "--name", "Ann Lee", "--json")
	var made struct{ Email, Password string }
	if err := json.Unmarshal([]byte(out), &made); err != nil || made.Email != "ann@example.com" {
		t.Fatalf("add: %s", out)
	}
	signIn(made.Email, made.Password, "303")
	check.Lacks(t, o.types("Typed-pass-1\n", 0, "user", "password", "ann@example.com", "--stdin"), "Typed", "it prints the password")
	signIn(made.Email, made.Password, "422")
	signIn(made.Email, "Typed-pass-1", "303")
	o.says(0, "\nPassword: ", "user", "password", "ann@example.com") // a generated one
	for _, args := range [][]string{
		{"staff", "ann@example.com"}, {"staff", "ann@example.com", "--off"}, {"--staff", "ann@example.com"},
		{"admin", "ann@example.com", "--client", "sabona"}, {"admin", "ann@example.com", "--client", "panezski"},
		{"admin", "ann@example.com", "--client", "sabona", "--off"},
	} {
		o.says(0, "ann@example.com is ", append([]string{"user"}, args...)...)
	}
	out = o.does(0, "user", "list", "--json")
	var list []struct {
		Email, Name string
		Staff       bool
		Admin       []string
	}
	if err := json.Unmarshal([]byte(out), &list); err != nil || len(list) != 3 {
		t.Fatalf("list: %s", out)
	}
	if ann := list[2]; ann.Email != "ann@example.com" || ann.Name != "Ann Lee" ||
		!ann.Staff || len(ann.Admin) != 1 || ann.Admin[0] != "panezski" {
		t.Errorf("ann is %+v", ann)
	}
	o.says(0, "demo@forecourt.test", "user", "list")
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
		out := o.types(tt.stdin, tt.code, append([]string{"user"}, tt.args...)...)
		if !strings.Contains(out, tt.says) || strings.Count(out, "\n") != 1 {
			t.Errorf("%v: %q, want %q", tt.args, out, tt.says)
		}
	}
	check.Equal(t, p.end(), 0, "stopped with: %s", p.stderr)
	if log := p.stderr.String(); strings.Contains(log, "Typed-pass-1") || strings.Contains(log, made.Password) {
		t.Error("the log holds a password")
	}
}
