//go:build long

package deploy_test

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"forecourt/internal/apptest"
)

// proxies are the configurations in this folder, the changes that make them run on this machine, and how they are started. CERT,
// KEY and BOTH stand for files, HTTP, HTTPS and BACK for addresses, PORT for the port of HTTPS.
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

// back is the program behind a proxy. It answers with what it was asked.
func back(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/readyz":
		if unready.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
			refused.Add(1)
		}
	case "/stream":
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 2 {
			fmt.Fprintf(w, "data: %d\n\n", i)
			_ = http.NewResponseController(w).Flush()
			if i == 0 { // the next comes when the first has arrived
				select {
				case <-arrived:
				case <-time.After(10 * time.Second):
				}
			}
		}
	case "/closed":
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprint(w, "our own page")
	default:
		n, _ := io.Copy(io.Discard, r.Body)
		fmt.Fprintf(w, "%s %s %d", r.Header.Values("X-Forwarded-For"), r.Host, n)
	}
}

var (
	arrived = make(chan bool)
	unready atomic.Bool  // while its database is away
	refused atomic.Int32 // questions of a proxy that were answered so
)

// TestEachProxyPassesEverythingAndLogsNoToken needs Debian's haproxy, nginx and caddy; make proxies installs them.
func TestEachProxyPassesEverythingAndLogsNoToken(t *testing.T) {
	paths := tokenPaths(t)
	for name, p := range proxies {
		t.Run(name, func(t *testing.T) {
			program := httptest.NewServer(http.HandlerFunc(back))
			defer program.Close()
			dir := t.TempDir()
			web, secure := free(t), free(t)
			_, port, _ := net.SplitHostPort(secure)
			cert, key, both := certificate(t, dir)
			fill := strings.NewReplacer("DIR", dir, "CERT", cert, "KEY", key, "BOTH", both, "HTTPS", secure, "HTTP", web, "PORT", port, "BACK", strings.TrimPrefix(program.URL, "http://"), "FILE", filepath.Join(dir, p.file))
			text, err := os.ReadFile(p.file)
			if err != nil {
				t.Fatal(err)
			}
			config := string(text)
			for i := 0; i < len(p.changes); i += 2 {
				if !strings.Contains(config, p.changes[i]) {
					t.Fatalf("%s has no %q", p.file, p.changes[i])
				}
				config = strings.ReplaceAll(config, p.changes[i], fill.Replace(p.changes[i+1]))
			}
			if err := os.WriteFile(filepath.Join(dir, p.file), []byte(config), 0o600); err != nil {
				t.Fatal(err)
			}
			var log output
			arguments := strings.Split(fill.Replace(strings.Join(p.arguments, "\n")), "\n")
			proxy := exec.Command(p.program, arguments...)
			proxy.Dir, proxy.Stdout, proxy.Stderr = dir, &log, &log
			proxy.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
			proxy.WaitDelay = 5 * time.Second
			if err := proxy.Start(); err != nil {
				t.Fatalf("%v: make proxies installs it", err)
			}
			t.Cleanup(func() { _ = proxy.Process.Signal(syscall.SIGTERM); _ = proxy.Wait() }) // nginx ends its workers
			client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true, ServerName: "pay.example"}}}
			ask := func(method, path string, body io.Reader) (*http.Response, string, error) {
				req, err := http.NewRequestWithContext(t.Context(), method, "https://"+secure+path, body)
				if err != nil {
					t.Fatal(err)
				}
				req.Host = "pay.example:" + port
				req.Header.Set("X-Forwarded-For", "203.0.113.66")
				req.Header.Set("Referer", "https://pay.example/receipt/"+token)
				res, err := client.Do(req)
				if err != nil {
					return nil, "", err
				}
				if path == "/stream" {
					return res, "", nil
				}
				defer func() { _ = res.Body.Close() }()
				text, err := io.ReadAll(res.Body)
				return res, string(text), err
			}
			apptest.Eventually(t, name+" answers", func() bool {
				res, _, err := ask(http.MethodGet, "/", nil)
				return err == nil && res.StatusCode == http.StatusOK
			})
			if _, got, err := ask(http.MethodPost, "/upload", strings.NewReader(strings.Repeat("x", 12<<20))); err != nil || got != fmt.Sprintf("[127.0.0.1] pay.example:%s %d", port, 12<<20) {
				t.Errorf("what arrives of a picture: %.300s, %v", got, err)
			}
			if res, got, err := ask(http.MethodGet, "/closed", nil); err != nil || res.StatusCode != http.StatusServiceUnavailable || got != "our own page" {
				t.Errorf("our own page: %s, %v", got, err)
			}
			if res, _, err := ask(http.MethodGet, "/stream", nil); err != nil {
				t.Error(err)
			} else {
				lines := bufio.NewScanner(res.Body)
				if !lines.Scan() || lines.Text() != "data: 0" {
					t.Errorf("the first event did not come alone: %q", lines.Text())
				}
				select {
				case arrived <- true:
				case <-time.After(10 * time.Second):
				}
				for lines.Scan() {
				}
				_ = res.Body.Close()
			}
			for _, path := range paths {
				if _, _, err := ask(http.MethodGet, path+"?x="+token, nil); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			}
			if name != "nginx" { // which asks nothing
				unready.Store(true)
				before := refused.Load()
				apptest.Eventually(t, name+" has noticed that nothing is ready", func() bool { return refused.Load() > before+3 })
				if res, got, err := ask(http.MethodGet, "/closed", nil); err != nil || res.StatusCode != http.StatusServiceUnavailable || got != "our own page" {
					t.Errorf("our own page while nothing is ready: %s, %v", got, err)
				}
				unready.Store(false)
			}
			program.Close()
			if res, _, err := ask(http.MethodGet, "/reset/"+token, nil); err == nil && res.StatusCode < 500 {
				t.Errorf("without a program behind it: %d", res.StatusCode)
			}
			if _, _, err := ask(http.MethodGet, "/last", nil); err != nil {
				t.Error(err)
			}
			var said string
			apptest.Eventually(t, "the log holds the last request", func() bool {
				kept, _ := os.ReadFile(filepath.Join(dir, "log"))
				said = log.String() + string(kept)
				return strings.Contains(said, "/last")
			})
			if !strings.Contains(said, "/merchant/join") {
				t.Errorf("the log lacks what was asked:\n%.2000s", said)
			}
			for line := range strings.Lines(said) {
				if strings.Contains(line, token) {
					t.Errorf("the log holds a token: %.600s", line)
				}
			}
		})
	}
}

// output collects what a proxy writes.
type output struct {
	mu   sync.Mutex
	text strings.Builder
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// certificate makes the files of a certificate of pay.example.
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
