package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/fake"
)

func TestTheDoctorChecksTheSettingsAlone(t *testing.T) {
	t.Parallel()
	good, old := fake.Certificate(t, "pay.example", time.Hour), fake.Certificate(t, "pay.example", -time.Hour)
	outside := map[string]string{
		"DATABASE_URL": "postgres://u:hunter2@127.0.0.1:1/x", "FORECOURT_SECRET": strings.Repeat("s", 32), "SMTP_URL": "smtp://127.0.0.1:1",
	}
	for _, tt := range []struct {
		name   string
		values map[string]string
		code   int
		says   string
	}{
		{"nothing set", nil, 0, "all names are known; set: FORECOURT_DATA"},
		{"a database that does not answer", outside, 0, "placeholder values for name au_address au_phone "},
		{
			"half a provider", with(outside, "BRAND_FILE", jsonFile(t, `{"name": "Südpay", "licence": "4"}`)),
			0, "placeholder values for au_address au_phone ",
		},
		{
			"a demo that others reach", map[string]string{"FORECOURT_ADDR": "0.0.0.0:80", "FORECOURT_DEMO": "on"},
			0, "this is a demo that others can reach",
		},
		{"no mail outside a demo", map[string]string{"FORECOURT_DEMO": "off"}, 1, "SMTP_URL: it has to be set outside demo mode"},
		{
			"no mail with an external database",
			map[string]string{"DATABASE_URL": "postgres://127.0.0.1:1/x", "FORECOURT_SECRET": strings.Repeat("s", 32)}, 1,
			"SMTP_URL: it has to be set outside demo mode",
		},
		{"a certificate", with(with(good, "FORECOURT_URL", "https://pay.example"), "SMTP_URL", "smtp://127.0.0.1:1"), 0, "placeholder values"},
		{"a certificate that has ended", old, 1, "TLS_CERT: it ended on "},
		{
			"a certificate for somebody else", with(good, "FORECOURT_URL", "https://shop.example"),
			1, "TLS_CERT: x509: certificate is valid for pay.example, not shop.example",
		},
		{"a wrong setting", map[string]string{"LOG_LEVEL": "loud"}, 1, "LOG_LEVEL"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			data := filepath.Join(t.TempDir(), "data")
			said := shell{t, with(tt.values, "FORECOURT_DATA", data)}.says(tt.code, tt.says, "doctor", "--offline")
			check.Lacks(t, said, "hunter2", "it says a password")
			_, err := os.Stat(data)
			check.ErrorIs(t, err, os.ErrNotExist, "the check made the data folder")
		})
	}
}

func TestUnknownSettingNamesAreReported(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	env := environment{getenv: from(map[string]string{
		"FORECOURT_DATA": t.TempDir(), "LIMITS": "card=4",
	}), stdout: &out, stderr: &out, environ: func() []string {
		return []string{
			"HOME=/root", "FORECOURT_ADRR=:80", "DATABASE_URI=x", "LIMITS=card=4",
			"OTEL_SERVICE_NAME=x", "TRUSTED_PROXY=10.0.0.1", "LIMIT_CARD=3", "PATH=/bin", "MAIL=/var/mail/root",
		}
	}}
	code := env.run(t.Context(), []string{"doctor", "--offline"})
	if code != 0 || !strings.Contains(out.String(), "unknown: DATABASE_URI, FORECOURT_ADRR, LIMIT_CARD, TRUSTED_PROXY\n") {
		t.Errorf("%d %s", code, &out)
	}
}

func TestASiteForRealPeopleNeedsMail(t *testing.T) {
	t.Parallel()
	values := map[string]string{"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": t.TempDir(), "FORECOURT_DEMO": "off"}
	shell{t, values}.fails(2, "SMTP_URL: it has to be set outside demo mode", "serve")
}

func with(values map[string]string, name, value string) map[string]string {
	all := map[string]string{name: value}
	maps.Copy(all, values)
	return all
}
