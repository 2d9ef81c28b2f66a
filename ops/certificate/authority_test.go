package certificate_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/fake"
	"forecourt/internal/kit/secret"
	"forecourt/ops/certificate"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// site is a process that serves https for a name.
type site struct {
	*certificate.Authority
	name          string
	plain, secure net.Listener
	log           *lines
}

// lines is a log that several goroutines write.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// count returns how many lines of a level were logged.
func (l *lines) count(level string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.text.String(), "level="+level)
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check.Must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func port(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }

var challenged sync.Mutex

// startPebble starts an authority that calls these ports. Only one test at a time may have one: certmagic keeps the challenges of all
// sites of a process by name alone.
func startPebble(t *testing.T, plain, secure int) *fake.Authority {
	t.Helper()
	challenged.Lock()
	t.Cleanup(challenged.Unlock)
	return fake.StartAuthority(t, plain, secure)
}

// open starts a process on listeners that the authority calls. It does not ask the authority yet.
func open(t *testing.T, pool *pgxpool.Pool, pebble *fake.Authority, plain, secure net.Listener) *site {
	t.Helper()
	return openAs(t, pool, pebble, plain, secure, "pay.example", dbtest.Secret)
}

// openAs does so for another name or with another secret.
func openAs(t *testing.T, pool *pgxpool.Pool, pebble *fake.Authority, plain, secure net.Listener, name, key string) *site {
	t.Helper()
	log := &lines{}
	a, err := certificate.NewAuthority(t.Context(), certificate.AuthorityConfig{
		Names: []string{name}, Directory: pebble.Directory, HTTP: plain.Addr(), HTTPS: secure.Addr(), Pool: pool,
		Box: secret.NewRing(key).Box("certificates"), Log: slog.New(slog.NewTextHandler(log, nil)), Every: 20 * time.Millisecond,
	})
	check.Must(t, err)
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "the site") })
	web := &http.Server{Handler: page, TLSConfig: a.TLS(), ReadHeaderTimeout: time.Minute, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}
	redirect := &http.Server{Handler: a.Challenges(certificate.Redirect([]string{"https://pay.example"})), ReadHeaderTimeout: time.Minute}
	go func() { _ = web.ServeTLS(secure, "", "") }()
	go func() { _ = redirect.Serve(plain) }()
	t.Cleanup(func() { _, _ = web.Close(), redirect.Close() })
	return &site{a, name, plain, secure, log}
}

// watch lets a process get and renew certificates until the test ends.
func (s *site) watch(t *testing.T) {
	t.Helper()
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Watch(ctx)
	}()
	t.Cleanup(func() {
		stop()
		<-ended
	})
}

// serves waits until a process serves a certificate that roots verify, and returns it.
func (s *site) serves(t *testing.T, roots *x509.CertPool) (served *x509.Certificate) {
	t.Helper()
	apptest.Eventually(t, "a certificate", func() bool {
		served = s.shake(t, s.name, roots)
		return served != nil
	})
	return served
}

// begin starts a process that shares nothing with other tests: its own database, and an authority that calls it.
func begin(t *testing.T) (*pgxpool.Pool, *fake.Authority, *site) {
	t.Helper()
	pool, plain, secure := dbtest.Pool(t), listen(t), listen(t)
	pebble := startPebble(t, port(plain), port(secure))
	return pool, pebble, open(t, pool, pebble, plain, secure)
}

// shake opens a connection for a name and returns the served certificate, or nil if there is none.
func (s *site) shake(t *testing.T, name string, roots *x509.CertPool) *x509.Certificate {
	t.Helper()
	conn, err := (&tls.Dialer{Config: &tls.Config{ServerName: name, RootCAs: roots, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2"}}}).DialContext(t.Context(), "tcp", s.secure.Addr().String())
	if err != nil {
		return nil
	}
	defer func() { _ = conn.Close() }()
	state := conn.(*tls.Conn).ConnectionState()
	check.Equal(t, state.NegotiatedProtocol, "h2", "negotiated protocol")
	return state.PeerCertificates[0]
}

var selected = regexp.MustCompile(`"_selectedTime": "[^"]*"`)

// age makes the stored certificate due for renewal: the time for it, which certmagic chose, has passed.
func age(t *testing.T, pool *pgxpool.Pool, name string) {
	t.Helper()
	var key string
	var sealed []byte
	err := pool.QueryRow(t.Context(), "SELECT key, sealed FROM certificate_file WHERE key LIKE '%/' || $1 || '.json'", name).Scan(&key, &sealed)
	check.Must(t, err)
	about, err := secret.NewRing(dbtest.Secret).Box("certificates").Open(sealed, "certificate "+key)
	if err != nil || !selected.Match(about) {
		t.Fatalf("%s: %v", about, err)
	}
	past := selected.ReplaceAll(about, []byte(`"_selectedTime": "2020-01-01T00:00:00Z"`))
	sealed = secret.NewRing(dbtest.Secret).Box("certificates").Seal(past, "certificate "+key)
	dbtest.Exec(t, pool, "UPDATE certificate_file SET sealed = $2 WHERE key = $1", key, sealed)
}

func TestACertificateIsObtainedAutomatically(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		challenge       string
		noHTTP, noHTTPS bool // the authority cannot reach that port
	}{{"http-01", false, true}, {"tls-alpn-01", true, false}} {
		t.Run(tt.challenge, func(t *testing.T) {
			t.Parallel()
			pool, plain, secure := dbtest.Pool(t), listen(t), listen(t)
			httpPort, httpsPort := port(plain), port(secure)
			if tt.noHTTP {
				httpPort = 1
			}
			if tt.noHTTPS {
				httpsPort = 1
			}
			pebble := startPebble(t, httpPort, httpsPort)
			first := open(t, pool, pebble, plain, secure)
			if got := first.shake(t, "pay.example", pebble.Issued()); got != nil {
				t.Error("a certificate was served before the authority issued one")
			}
			if got := first.States(); len(got) != 1 || got[0].Name != "pay.example" || !got[0].Ends.IsZero() || got[0].Failing {
				t.Errorf("states before the order: %+v", got)
			}
			first.watch(t)
			served := first.serves(t, pebble.Issued())
			if got := first.States()[0]; !got.Ends.Equal(served.NotAfter) || got.Failing {
				t.Errorf("state after the order: %+v, the certificate ends %s", got, served.NotAfter)
			}

			// Another process uses it without a new order, and so does this one after a restart.
			orders := pebble.Orders()
			second := open(t, pool, pebble, listen(t), listen(t))
			if got := second.shake(t, "pay.example", pebble.Issued()); got == nil || !got.Equal(served) {
				t.Errorf("the second process serves another certificate: %v", got)
			}
			second.watch(t)
			if orders == 0 || pebble.Orders() != orders {
				t.Errorf("%d orders before, %d after", orders, pebble.Orders())
			}

			// The database does not reveal the key.
			var sealed, open int
			if err := pool.QueryRow(t.Context(), `SELECT count(*), count(*) FILTER (WHERE encode(sealed, 'escape') ~ 'BEGIN|PRIVATE|pay.example|urn:')
				FROM certificate_file`).Scan(&sealed, &open); err != nil || sealed < 4 || open != 0 {
				t.Errorf("%d files, %d of them readable: %v", sealed, open, err)
			}
		})
	}
}

func TestTwoProcessesOrderOnce(t *testing.T) {
	t.Parallel()
	pool, plain, secure := dbtest.Pool(t), listen(t), listen(t)
	// The authority always calls the second process, whichever ordered.
	pebble := startPebble(t, port(plain), port(secure))
	sites := []*site{open(t, pool, pebble, listen(t), listen(t)), open(t, pool, pebble, plain, secure)}
	for _, s := range sites {
		s.watch(t)
	}
	a, b := sites[0].serves(t, pebble.Issued()), sites[1].serves(t, pebble.Issued())
	if !a.Equal(b) || pebble.Orders() != 1 {
		t.Errorf("the certificates served are equal: %t, %d orders", a.Equal(b), pebble.Orders())
	}
}

func TestTwoProcessesRenewOnce(t *testing.T) {
	t.Parallel()
	pool, pebble, first := begin(t)
	first.watch(t)
	old := first.serves(t, pebble.Issued())
	age(t, pool, first.name)
	// The authority always calls the first process. The second and third begin with the old certificate.
	both := []*site{open(t, pool, pebble, listen(t), listen(t)), open(t, pool, pebble, listen(t), listen(t))}
	for _, s := range both {
		if served := s.shake(t, "pay.example", pebble.Issued()); served == nil || !served.Equal(old) {
			t.Error("a certificate that is due is not served")
		}
		s.watch(t)
	}
	var renewed [2]*x509.Certificate
	for i, s := range both {
		apptest.Eventually(t, "a new certificate", func() bool {
			renewed[i] = s.shake(t, "pay.example", pebble.Issued())
			return renewed[i] != nil && !renewed[i].Equal(old)
		})
	}
	if !renewed[0].Equal(renewed[1]) || pebble.Orders() != 2 || both[0].States()[0].Failing || both[1].States()[0].Failing {
		t.Errorf("both serve one certificate: %t, %d orders: %s%s", renewed[0].Equal(renewed[1]), pebble.Orders(), &both[0].log.text, &both[1].log.text)
	}
}

func TestACertificateOutlivesADeadAuthority(t *testing.T) {
	t.Parallel()
	pool, plain, secure := dbtest.Pool(t), listen(t), listen(t)
	pebble := startPebble(t, port(plain), port(secure))
	name := fmt.Sprintf("dead%d.example", time.Now().UnixNano()) // certmagic waits a minute after a failure, for all sites of a process
	first := openAs(t, pool, pebble, plain, secure, name, dbtest.Secret)
	first.watch(t)
	roots := pebble.Issued()
	old := first.serves(t, roots)
	age(t, pool, name)
	pebble.Stop()
	restarted := openAs(t, pool, pebble, listen(t), listen(t), name, dbtest.Secret)
	restarted.watch(t)
	apptest.Eventually(t, "a failure", func() bool { return restarted.States()[0].Failing })
	if served := restarted.serves(t, roots); !served.Equal(old) || restarted.log.count("ERROR") != 1 {
		t.Errorf("the old certificate is not served, or the log does not have one error: %s", &restarted.log.text)
	}
}

func TestOtherNamesGetNoCertificate(t *testing.T) {
	t.Parallel()
	_, pebble, s := begin(t)
	s.watch(t)
	roots := pebble.Issued()
	s.serves(t, roots)
	orders := pebble.Orders()
	for _, name := range []string{"evil.example", "pay.example.evil.example", "www.pay.example", ""} {
		conn, err := (&tls.Dialer{Config: &tls.Config{ServerName: name, InsecureSkipVerify: true}}).DialContext(t.Context(), "tcp", s.secure.Addr().String())
		if err == nil {
			_ = conn.Close()
			t.Errorf("%q got a certificate", name)
		}
	}
	for _, name := range []string{"pay.example", "PAY.example"} {
		if s.shake(t, name, roots) == nil {
			t.Errorf("%q got no certificate", name)
		}
	}
	check.Equal(t, pebble.Orders(), orders, "orders after names that nobody asked for")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, tt := range []struct {
		method, host, path string
		status             int
		location           string
	}{
		{"GET", "pay.example", "/pos/panezski?t=4", 308, "https://pay.example/pos/panezski?t=4"},
		{"HEAD", "pay.example:80", "/", 308, "https://pay.example/"},
		{"GET", "pay.example", "//evil.example/x", 308, "https://pay.example//evil.example/x"},
		{"POST", "pay.example", "/signin", 403, ""},
		{"GET", "evil.example", "/", 421, ""},
		{"GET", "pay.example", "/.well-known/acme-challenge/x", 308, "https://pay.example/.well-known/acme-challenge/x"},
		{"GET", "evil.example", "/.well-known/acme-challenge/x", 421, ""},
	} {
		req, err := http.NewRequestWithContext(t.Context(), tt.method, "http://"+s.plain.Addr().String()+tt.path, nil)
		check.Must(t, err)
		req.Host = tt.host
		res, err := client.Do(req)
		check.Must(t, err)
		_ = res.Body.Close()
		if res.StatusCode != tt.status || res.Header.Get("Location") != tt.location {
			t.Errorf("%s %s%s: %d %q", tt.method, tt.host, tt.path, res.StatusCode, res.Header.Get("Location"))
		}
	}
}

func TestASiteWithAnotherSecretOrdersItsOwnCertificate(t *testing.T) {
	t.Parallel()
	pool, pebble, first := begin(t)
	first.watch(t)
	first.serves(t, pebble.Issued())
	other := openAs(t, pool, pebble, listen(t), listen(t), "pay.example", "another secret")
	if got := other.States()[0]; !got.Ends.IsZero() {
		t.Errorf("a certificate sealed with another secret was read: %+v", got)
	}
	other.watch(t)
	other.serves(t, pebble.Issued())
	check.Equal(t, pebble.Orders(), 2, "orders")
}
