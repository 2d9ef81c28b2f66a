package fake

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"forecourt/internal/kit/check"
)

// Certificate makes a certificate for host that ends after the time given, and returns its files by the settings that name them.
func Certificate(t testing.TB, host string, lasts time.Duration) map[string]string {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check.Must(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotBefore:    time.Now().Add(-2 * time.Hour), NotAfter: time.Now().Add(lasts),
	}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{host}
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	check.Must(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	check.Must(t, err)
	dir := t.TempDir()
	values := map[string]string{"TLS_CERT": filepath.Join(dir, "cert.pem"), "TLS_KEY": filepath.Join(dir, "key.pem")}
	for file, block := range map[string]*pem.Block{
		values["TLS_CERT"]: {Type: "CERTIFICATE", Bytes: signed}, values["TLS_KEY"]: {Type: "PRIVATE KEY", Bytes: private},
	} {
		check.Must(t, os.WriteFile(file, pem.EncodeToMemory(block), 0o600))
	}
	return values
}
