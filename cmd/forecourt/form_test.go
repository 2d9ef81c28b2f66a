package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
)

func TestFormsFromTheCommandLine(t *testing.T) {
	t.Parallel()
	values := map[string]string{"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": dataFolder(t), "FORECOURT_DEMO": "off"}
	server := start(t, values, "serve")
	site := server.ready()
	env := environment{getenv: from(values), stdin: strings.NewReader("Str0ng-pass\n"), stdout: io.Discard, stderr: io.Discard}
	if code := env.run(t.Context(), []string{"user", "add", "ann@example.com", "--stdin"}); code != 0 { // with a verified address
		t.Fatalf("user add: exit code %d", code)
	}
	sendRequest(t, site)
	command := func(want int, args ...string) string {
		t.Helper()
		var out strings.Builder
		if code := run(t.Context(), append([]string{"form"}, args...), from(values), &out, &out); code != want {
			t.Fatalf("form %v: exit code %d, want %d: %s", args, code, want, &out)
		}
		return out.String()
	}
	var list []struct{ Reference, Form, State, Name, Email string }
	if err := json.Unmarshal([]byte(command(0, "list", "--json")), &list); err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	f := list[0]
	if f.Form != "wptest" || f.State != "submitted" || f.Name != "Shop" || f.Email != "ann@example.com" {
		t.Errorf("the list has %+v", f)
	}
	if table := command(0, "list"); !strings.Contains(table, f.Reference) {
		t.Errorf("the table is %s", table)
	}
	if none := command(0, "list", "--form", "ddtest"); none != "No forms.\n" {
		t.Errorf("the list of another form is %s", none)
	}
	var shown struct {
		State, Reason string
		Data          struct{ Name string }
		History       []struct{ Actor, Action string }
	}
	show := func() {
		t.Helper()
		if err := json.Unmarshal([]byte(command(0, "show", strings.ToLower(f.Reference), "--json")), &shown); err != nil {
			t.Fatal(err)
		}
	}
	if show(); shown.Data.Name != "Shop" || len(shown.History) != 1 {
		t.Errorf("show prints %+v", shown)
	}
	command(2)
	command(2, "list", "--state", "lost")
	command(2, "show")
	command(2, "decide", f.Reference, "maybe")
	command(2, "decide", f.Reference, "declined")
	command(1, "show", "A-2222-22")
	command(1, "decide", "A-2222-22", "approved")
	command(0, "decide", f.Reference, "declined", "--reason", "Not a shop")
	command(1, "decide", f.Reference, "approved")
	if show(); shown.State != "declined" || shown.Reason != "Not a shop" || len(shown.History) != 2 || !strings.HasPrefix(shown.History[1].Actor, "operator") {
		t.Errorf("after the decision show prints %+v", shown)
	}
	if code := server.end(); code != 0 {
		t.Errorf("the server ends with %d: %s", code, server.stderr)
	}
}

// sendRequest signs a person up and submits a request for a test account.
func sendRequest(t *testing.T, site string) {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, step := range []struct {
		path string
		form url.Values
	}{
		{"/signin", url.Values{"email": {"ann@example.com"}, "password": {"Str0ng-pass"}}},
		{"/form/wptest/0", url.Values{"country": {"AU"}, "name": {"Shop"}, "entityType": {"Other"}}},
		{"/form/wptest/check", nil},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, site+step.path, strings.NewReader(step.form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Origin", site)
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusSeeOther {
			t.Fatalf("%s: %s", step.path, res.Status)
		}
	}
}
