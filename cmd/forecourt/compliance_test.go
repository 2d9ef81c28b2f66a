package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"forecourt/internal/demo"
)

func TestComplianceCommand(t *testing.T) {
	t.Parallel()
	env := map[string]string{"FORECOURT_DATA": demoFolder(t), "FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_URL": "https://pay.example", "FORECOURT_DEMO": "on"}
	p := start(t, env, "serve")
	p.ready()
	command := func(args ...string) (int, string, string) {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), append([]string{"compliance"}, args...), func(name string) string { return env[name] }, &stdout, &stderr)
		return code, stdout.String(), stderr.String()
	}
	code, out, problem := command("create", "--id", "acme", "--name", "Acme Pty Ltd", "--client", "panezski", "--admin", demo.Email, "--person", "Alex Citizen:address,licence", "--person", "Bo")
	if code != 0 || out != "https://pay.example/compliance/acme\n" {
		t.Errorf("create: %d %q %q", code, out, problem)
	}
	for name, tt := range map[string]struct {
		args []string
		code int
		says string
	}{
		"a taken id":                    {[]string{"create", "--id", "acme", "--name", "A", "--admin", demo.Email, "--person", "B"}, 1, "already"},
		"an unknown admin":              {[]string{"create", "--name", "A", "--admin", "no@example.com", "--person", "B"}, 1, "no@example.com"},
		"an unknown part":               {[]string{"create", "--name", "A", "--admin", demo.Email, "--person", "B:passport"}, 2, "passport"},
		"nobody":                        {[]string{"create", "--name", "A", "--admin", demo.Email}, 2, "required"},
		"an id with a slash":            {[]string{"create", "--id", "a/b", "--name", "A", "--admin", demo.Email, "--person", "B"}, 2, "--id"},
		"an unknown business":           {[]string{"create", "--name", "A", "--client", "nowhere", "--admin", demo.Email, "--person", "B"}, 1, `no business "nowhere"`},
		"a link to an unknown business": {[]string{"link", "acme", "--client", "nowhere"}, 1, `no business "nowhere"`},
		"a link of an unknown record":   {[]string{"link", "nobody", "--client", "panezski"}, 1, `no record "nobody"`},
		"no command":                    {nil, 2, "create, link or show"},
		"an unknown record":             {[]string{"show", "nobody"}, 1, "no record"},
	} {
		if code, _, problem := command(tt.args...); code != tt.code || !strings.Contains(problem, tt.says) || strings.Count(problem, "\n") != 1 {
			t.Errorf("%s: %d %q", name, code, problem)
		}
	}
	if code, out, problem = command("link", "acme", "--client", "moollar"); code != 0 || out != "" {
		t.Errorf("link: %d %q %q", code, out, problem)
	}
	code, out, _ = command("show", "acme", "--json")
	var shown shownRecord
	if err := json.Unmarshal([]byte(out), &shown); err != nil || code != 0 {
		t.Fatal(code, out, err)
	}
	if shown.Business != "Acme Pty Ltd" || shown.Client != "moollar" || shown.DDRSA != nil || len(shown.People) != 2 || shown.People[0].Name != "Alex Citizen" || len(shown.People[1].Required) != 3 {
		t.Errorf("show: %s", out)
	}
	if code, out, _ = command("show", demo.ComplianceRecord); code != 0 || !strings.Contains(out, demo.Email) {
		t.Errorf("the demo's record: %d %s", code, out)
	}
}
