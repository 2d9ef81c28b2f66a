package certificate_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/ops/certificate"
)

// pair is a certificate and its key as stored in files.
type pair struct{ certificate, key []byte }

// sign makes a certificate of two days for a name. life is what is left of them.
func sign(t *testing.T, name string, serial int64, life time.Duration) pair {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check.Must(t, err)
	end := time.Now().Add(life)
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), NotBefore: end.Add(-48 * time.Hour), NotAfter: end, DNSNames: []string{name}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	check.Must(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	check.Must(t, err)
	return pair{
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}),
	}
}

func TestFilesAreReloadedUnlessTheyAreBroken(t *testing.T) {
	t.Parallel()
	day := 24 * time.Hour
	good, next := sign(t, "pay.example", 1, day), sign(t, "pay.example", 2, 2*day)
	for name, tt := range map[string]struct {
		put     *pair // nil: the files are gone
		serial  int64 // of the certificate served afterwards
		errors  int
		failing bool
	}{
		"the same":            {&good, 1, 0, false},
		"a new one":           {&next, 2, 0, false},
		"no certificate":      {&pair{[]byte("cut off"), next.key}, 1, 1, true},
		"another key":         {&pair{next.certificate, good.key}, 1, 1, true},
		"an expired one":      {new(sign(t, "pay.example", 3, -time.Hour)), 1, 1, true},
		"one not valid yet":   {new(sign(t, "pay.example", 4, 72*time.Hour)), 1, 1, true},
		"one of another name": {new(sign(t, "evil.example", 5, day)), 1, 1, true},
		"no files":            {nil, 1, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, log := t.TempDir(), &lines{}
			certificateFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
			put := func(p *pair) {
				t.Helper()
				if p == nil {
					_, _ = os.Remove(certificateFile), os.Remove(keyFile)
					return
				}
				for file, content := range map[string][]byte{certificateFile: p.certificate, keyFile: p.key} {
					check.Must(t, os.WriteFile(file, content, 0o600))
				}
			}
			put(&good)
			f, err := certificate.OpenFiles(certificateFile, keyFile, "pay.example", slog.New(slog.NewTextHandler(log, nil)))
			check.Must(t, err)
			serial := func() int64 {
				served, err := f.TLS().GetCertificate(&tls.ClientHelloInfo{})
				check.Must(t, err)
				return served.Leaf.SerialNumber.Int64()
			}
			put(tt.put)
			f.Check(t.Context())
			if f.States()[0].Failing || log.count("ERROR") != 0 {
				t.Errorf("the first check raised an alarm, though it may fall between writing the two files: %s", &log.text)
			}
			for range 3 {
				f.Check(t.Context())
			}
			if got := f.States()[0]; serial() != tt.serial || log.count("ERROR") != tt.errors || got.Failing != tt.failing || got.Name != "pay.example" {
				t.Errorf("serves %d, %+v: %s", serial(), got, &log.text)
			}

			// The next good certificate is served and ends the alarm.
			last := sign(t, "pay.example", 9, day)
			put(&last)
			f.Check(t.Context())
			if got := f.States()[0]; serial() != 9 || got.Failing || log.count("ERROR") != tt.errors {
				t.Errorf("after the next good one: serves %d, %+v: %s", serial(), got, &log.text)
			}
		})
	}
}
