package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"forecourt/internal/dbtest"
)

func TestSettingsAreCheckedWithoutServing(t *testing.T) {
	t.Parallel()
	good, old := signedPair(t, "pay.example", time.Hour), signedPair(t, "pay.example", -time.Hour)
	outside := func(more map[string]string) map[string]string {
		values := map[string]string{"DATABASE_URL": dbtest.URL(t), "FORECOURT_SECRET": strings.Repeat("s", 32), "SMTP_URL": "smtp://mail.example:587"}
		maps.Copy(values, more)
		return values
	}
	for _, tt := range []struct {
		name   string
		values map[string]string
		code   int
		says   []string
	}{
		{"nothing set", nil, 0, []string{"http on 127.0.0.1:8080", "made in ", "the built-in sandbox", "loaded at start", "fine"}},
		{"an external database", outside(nil), 0, []string{"up to date", "not loaded", "Not in BRAND_FILE, so the pages show made-up values for name support_mail licence "}},
		{"half a provider", outside(map[string]string{"BRAND_FILE": jsonFile(t, `{"name": "Südpay", "licence": "424242"}`)}), 0, []string{"made-up values for support_mail au_address "}},
		{"a database that does not answer", outside(map[string]string{"DATABASE_URL": "postgres://u:hunter2@127.0.0.1:1/x"}), 1, []string{"DATABASE_URL: "}},
		{"a second address that does not answer", outside(map[string]string{"DATABASE_LISTEN_URL": "postgres://u:hunter2@127.0.0.1:1/x"}), 1, []string{"DATABASE_LISTEN_URL: "}},
		{"no mail outside a demo", map[string]string{"FORECOURT_DEMO": "off"}, 2, []string{"SMTP_URL: it has to be set outside demo mode"}},
		{"no mail with an external database", outside(map[string]string{"SMTP_URL": ""}), 2, []string{"SMTP_URL: it has to be set outside demo mode"}},
		{"a certificate", with(with(good, "FORECOURT_URL", "https://pay.example"), "SMTP_URL", "smtp://mail.example:587"), 0, []string{"https on ", "https://pay.example"}},
		{"a certificate that has ended", old, 2, []string{"TLS_CERT: the certificate ended on "}},
		{"a certificate for somebody else", with(good, "FORECOURT_URL", "https://shop.example"), 2, []string{"TLS_CERT: the certificate is not for shop.example"}},
		{"a domain", map[string]string{"FORECOURT_DOMAIN": "Pay.example,www.pay.example", "SMTP_URL": "smtp://mail.example:587"}, 0, []string{
			"https on :443, with certificates for pay.example, www.pay.example from Let's Encrypt; http on :80 leads there\n", "https://pay.example\n", "not loaded",
		}},
		{"a domain elsewhere", map[string]string{
			"FORECOURT_DOMAIN": "pay.example", "FORECOURT_ADDR": "127.0.0.1:8443 127.0.0.1:8081", "FORECOURT_URL": "https://pay.example:8443",
			"ACME_URL": "https://ca.internal/dir", "SMTP_URL": "smtp://mail.example:587",
		}, 0, []string{"https on 127.0.0.1:8443", "from https://ca.internal/dir; http on 127.0.0.1:8081 leads there\n", "https://pay.example:8443\n"}},
		{"a truncated secret", map[string]string{"FORECOURT_DATA": cutOffSecret(t)}, 1, []string{"shorter than 32 bytes"}},
		{"a collector", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "https://otel.example:4318/x"}, 0, []string{"sent to https://otel.example:4318/x\n"}},
		{"a wrong setting", map[string]string{"LOG_LEVEL": "loud"}, 2, []string{"LOG_LEVEL"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			values := tt.values
			data := filepath.Join(t.TempDir(), "data")
			if values["FORECOURT_DATA"] == "" {
				values = with(values, "FORECOURT_DATA", data)
			}
			var stdout, stderr strings.Builder
			code := run(t.Context(), []string{"serve", "--check-config"}, from(values), &stdout, &stderr)
			said := stdout.String() + stderr.String()
			if code != tt.code {
				t.Errorf("exit code %d, want %d: %s", code, tt.code, said)
			}
			for _, want := range tt.says {
				if !strings.Contains(said, want) {
					t.Errorf("the check does not say %q: %s", want, said)
				}
			}
			if strings.Contains(said, "hunter2") || code != 0 && strings.Count(stderr.String(), "\n") != 1 {
				t.Errorf("the check says %q", said)
			}
			if _, err := os.Stat(data); !errors.Is(err, os.ErrNotExist) {
				t.Error("the check made the data folder")
			}
		})
	}
}

func TestUnknownSettingNamesAreReported(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	env := environment{getenv: from(map[string]string{"FORECOURT_DATA": t.TempDir(), "LIMITS": "card=4"}), stdout: &out, stderr: &out, environ: func() []string {
		return []string{"HOME=/root", "DATABASE_URI=x", "FORECOURT_ADRR=:80", "LIMITS=card=4", "OTEL_SERVICE_NAME=x", "TRUSTED_PROXY=10.0.0.1", "PATH=/bin", "MAIL=/var/mail/root"}
	}}
	if code := env.run(t.Context(), []string{"serve", "--check-config"}); code != 0 {
		t.Errorf("exit code %d: %s", code, &out)
	}
	var told []string
	for line := range strings.Lines(out.String()) {
		if name, found := strings.CutSuffix(line, ": there is no such setting\n"); found {
			told = append(told, name)
		}
	}
	if got := strings.Join(told, " "); got != "DATABASE_URI FORECOURT_ADRR TRUSTED_PROXY" || strings.Contains(out.String(), "fine") {
		t.Errorf("%s", &out)
	}
	if !strings.Contains(out.String(), "  FORECOURT_DATA LIMITS\n") {
		t.Errorf("the check does not list what is set: %s", &out)
	}
}

func with(values map[string]string, name, value string) map[string]string {
	all := map[string]string{name: value}
	maps.Copy(all, values)
	return all
}

func cutOffSecret(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "secret"), []byte("cut off"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// certificate makes a certificate for host that ends after the time given, and returns the settings that name it.
func signedPair(t *testing.T, host string, lasts time.Duration) map[string]string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{host},
		NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: time.Now().Add(lasts),
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	values := map[string]string{"TLS_CERT": filepath.Join(dir, "cert.pem"), "TLS_KEY": filepath.Join(dir, "key.pem")}
	for file, block := range map[string]*pem.Block{
		values["TLS_CERT"]: {Type: "CERTIFICATE", Bytes: signed}, values["TLS_KEY"]: {Type: "PRIVATE KEY", Bytes: private},
	} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return values
}

func TestASiteForRealPeopleNeedsMail(t *testing.T) {
	t.Parallel()
	values := map[string]string{"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": t.TempDir(), "FORECOURT_DEMO": "off"}
	for _, args := range [][]string{{"serve"}, {"serve", "--check-config"}} {
		var stdout, stderr strings.Builder
		code := run(t.Context(), args, from(values), &stdout, &stderr)
		if code != 2 || !strings.Contains(stderr.String(), "SMTP_URL: it has to be set outside demo mode") || strings.Contains(stdout.String(), "listening") {
			t.Errorf("%v: %d %s%s", args, code, &stdout, &stderr)
		}
	}
}
