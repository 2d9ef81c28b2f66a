package main

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/ops/doctor"
)

// examine runs forecourt doctor and returns its findings by check.
func examine(d shell, code int, args ...string) map[string]doctor.Finding {
	d.t.Helper()
	said := d.does(code, append([]string{"doctor", "--json"}, args...)...)
	check.Contains(d.t, said, `"verdict": "`, "findings are named")
	var list []doctor.Finding
	check.Must(d.t, json.NewDecoder(strings.NewReader(said)).Decode(&list), "%s", said)
	found := map[string]doctor.Finding{}
	for _, f := range list {
		if f.Verdict != doctor.Fine && f.Verdict != doctor.Warn && f.Verdict != doctor.Fail || f.Says == "" {
			d.t.Errorf("%+v", f)
		}
		if kept, ok := found[f.Check]; !ok || kept.Verdict == doctor.Fine {
			found[f.Check] = f
		}
	}
	return found
}

func TestTheDoctorLooksAtAServingProgram(t *testing.T) {
	t.Parallel()
	d := shell{t, map[string]string{"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": demoFolder(t)}}
	p := start(t, d.values, "serve")
	p.ready()
	found := examine(d, 0)
	for _, checkOne := range []string{"settings", "durability", "schema", "clock", "gateway", "mail"} {
		if found[checkOne].Verdict != doctor.Fine {
			t.Errorf("%s: %+v", checkOne, found[checkOne])
		}
	}
	for _, checkOne := range []string{"disk", "open files"} {
		if _, ok := found[checkOne]; !ok {
			t.Errorf("%s was not checked", checkOne)
		}
	}
	if got := found["backup"]; got.Verdict != doctor.Warn || got.Do == "" {
		t.Errorf("no backup: %+v", got)
	}

	file := filepath.Join(t.TempDir(), "copy")
	d.does(0, "backup", file)
	found = examine(d, 0)
	if got := found["backup"]; got.Verdict != doctor.Fine || !strings.HasPrefix(got.Says, file+" is ") {
		t.Errorf("a backup: %+v", got)
	}
	check.Equal(t, p.end(), 0, "stopped with: %s", p.stderr)
	if said := d.does(0, "doctor"); !strings.Contains(said, "ok    schema") || !strings.Contains(said, "→ ") {
		t.Errorf("while no program serves, the doctor says %q", said)
	}
}

func TestTheDoctorFindsFailures(t *testing.T) {
	t.Parallel()
	gateway := start(t, map[string]string{"FORECOURT_DATA": folder(t), "GATEWAY_KEY": "key"}, "sandbox", "--addr", "127.0.0.1:0")
	given := outside(t, dbtest.URL(t), "SMTP_URL", "smtp://127.0.0.1:1", "GATEWAY_URL", gateway.ready(), "GATEWAY_KEY", "key",
		"FORECOURT_URL", "https://nowhere.invalid", "BRAND_FILE", jsonFile(t, `{"name": "Südpay"}`))
	t.Cleanup(func() { gateway.end() })
	unchanged := examine(shell{t, given}, 1)
	for name, tt := range map[string]struct {
		change map[string]string
		check  string
		want   doctor.Verdict
		says   string
	}{
		"another PostgreSQL":                 {nil, "durability", doctor.Fine, "fsync"},
		"a gateway that answers":             {nil, "gateway", doctor.Fine, "the key is accepted"},
		"its clock":                          {nil, "clock", doctor.Fine, "agrees"},
		"another key":                        {map[string]string{"GATEWAY_KEY": "another"}, "gateway", doctor.Fail, "HTTP 401"},
		"a mail server that does not answer": {nil, "mail", doctor.Fail, "refused"},
		"a name that leads nowhere":          {nil, "dns", doctor.Fail, "nowhere.invalid"},
		"half a provider":                    {nil, "settings", doctor.Warn, "support_mail"},
		"no database":                        {map[string]string{"DATABASE_URL": "postgres://u:hunter2@127.0.0.1:1/x"}, "database", doctor.Fail, ""},
		"a wrong setting":                    {map[string]string{"LOG_LEVEL": "loud"}, "settings", doctor.Fail, "LOG_LEVEL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := unchanged
			if tt.change != nil {
				values := maps.Clone(given)
				maps.Copy(values, tt.change)
				found = examine(shell{t, values}, 1)
			}
			got := found[tt.check]
			if got.Verdict != tt.want || !strings.Contains(got.Says, tt.says) || strings.Contains(got.Says, "hunter2") ||
				strings.Contains(got.Says, "\n") || tt.want != doctor.Fine && got.Do == "" {
				t.Errorf("%+v", got)
			}
		})
	}
}
