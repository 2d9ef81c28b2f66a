//go:build long

package deploy_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"forecourt/internal/certificate/pebbletest"
)

// proxies lists the configurations in this folder, the changes that make them run on this machine, and how to start them. CERT,
// KEY and BOTH stand for files, HTTP, HTTPS and BACK for addresses, and PORT for the port of HTTPS.
var proxies = map[string]struct {
	file, program string
	changes       []string
	arguments     []string
}{
	"haproxy": {"haproxy.cfg", "haproxy", []string{
		"bind :80", "bind HTTP", "bind :443", "bind HTTPS", "/etc/haproxy/pay.example.pem", "BOTH", "127.0.0.1:8081", "BACK", "    server two 127.0.0.1:8082\n", "",
		"    user haproxy\n    group haproxy\n    chroot /var/lib/haproxy\n", "",
	}, []string{"-db", "-f", "FILE"}},
	"nginx": {"nginx.conf", "nginx", []string{
		"pid /run/nginx.pid;", "pid DIR/pid; daemon off;", "http {\n", "http { client_body_temp_path DIR/a; proxy_temp_path DIR/b; fastcgi_temp_path DIR/c; uwsgi_temp_path DIR/d; scgi_temp_path DIR/e;\n",
		"listen 80;", "listen HTTP;", "listen 443", "listen HTTPS", "/etc/nginx/pay.example.pem", "CERT", "/etc/nginx/pay.example.key", "KEY",
		"/var/log/nginx/access.log", "DIR/log", "127.0.0.1:8081", "BACK", "        server 127.0.0.1:8082 max_fails=1 fail_timeout=2s;\n", "",
	}, []string{"-e", "stderr", "-p", "DIR", "-c", "FILE"}},
	"caddy": {"Caddyfile", "caddy", []string{
		"\n{\n", "\n{\n\tadmin off\n\tauto_https disable_redirects\n\tstorage file_system DIR\n", "pay.example {", "https://pay.example:PORT {\n\ttls CERT KEY", "127.0.0.1:8081 127.0.0.1:8082", "BACK",
	}, []string{"run", "--adapter", "caddyfile", "--config", "FILE"}},
}

// startProxy starts a proxy that serves https at secure and passes requests to back. It returns a function that reads its log.
func startProxy(t *testing.T, name, secure, back string) (log func() string) {
	t.Helper()
	p, dir := proxies[name], t.TempDir()
	_, port, err := net.SplitHostPort(secure)
	if err != nil {
		t.Fatal(err)
	}
	cert, key, both := certificate(t, dir)
	file := filepath.Join(dir, p.file)
	fill := strings.NewReplacer("DIR", dir, "CERT", cert, "KEY", key, "BOTH", both, "HTTPS", secure, "HTTP", pebbletest.Free(t), "PORT", port, "BACK", back, "FILE", file)
	text, err := os.ReadFile(p.file)
	if err != nil {
		t.Fatal(err)
	}
	config := string(text)
	for i := 0; i < len(p.changes); i += 2 {
		if !strings.Contains(config, p.changes[i]) {
			t.Fatalf("%s lacks %q", p.file, p.changes[i])
		}
		config = strings.ReplaceAll(config, p.changes[i], fill.Replace(p.changes[i+1]))
	}
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := os.Create(filepath.Join(dir, "said"))
	if err != nil {
		t.Fatal(err)
	}
	proxy := exec.Command(p.program, strings.Split(fill.Replace(strings.Join(p.arguments, "\n")), "\n")...)
	proxy.Dir, proxy.Stdout, proxy.Stderr = dir, said, said
	proxy.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
	if err := proxy.Start(); err != nil {
		t.Fatalf("%v: make proxies installs it", err)
	}
	t.Cleanup(func() { // nginx itself ends its workers
		_ = proxy.Process.Signal(syscall.SIGTERM)
		_ = proxy.Wait()
		_ = said.Close()
	})
	return func() string {
		printed, _ := os.ReadFile(said.Name())
		kept, _ := os.ReadFile(filepath.Join(dir, "log")) // only nginx writes one
		return string(printed) + string(kept)
	}
}

// certificate makes the files of a certificate for pay.example.
func certificate(t *testing.T, dir string) (cert, key, both string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"pay.example"}, NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	public, hidden := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
	write := func(name string, text []byte) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	return write("cert.pem", public), write("key.pem", hidden), write("both.pem", append(public, hidden...))
}
