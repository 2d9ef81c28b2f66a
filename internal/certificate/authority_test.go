package certificate_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/internal/certificate"
	"forecourt/internal/certificate/pebbletest"
	"forecourt/internal/dbtest"
	"forecourt/internal/secret"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// site is a process that serves https for pay.example and www.pay.example.
type site struct {
	*certificate.Authority
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
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func port(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }

func box(t *testing.T, key string) *secret.Box {
	t.Helper()
	b, err := secret.NewBox(secret.Derive(key, "certificates"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var challenged sync.Mutex

// startPebble starts an authority that calls these ports. Only one test at a time may have one: certmagic keeps the challenges of all
// sites of a process by name alone.
func startPebble(t *testing.T, plain, secure int) *pebbletest.Authority {
	t.Helper()
	challenged.Lock()
	t.Cleanup(challenged.Unlock)
	return pebbletest.Start(t, plain, secure)
}

// open starts a process on listeners that the authority calls.
func open(t *testing.T, pool *pgxpool.Pool, pebble *pebbletest.Authority, plain, secure net.Listener, change func(*certificate.AuthorityConfig)) *site {
	t.Helper()
	log := &lines{}
	c := certificate.AuthorityConfig{
		Names: []string{"pay.example"}, Directory: pebble.Directory, Roots: pebble.Roots, HTTP: plain.Addr(), HTTPS: secure.Addr(), Pool: pool,
		Box: box(t, dbtest.Secret), Log: slog.New(slog.NewTextHandler(log, nil)), FirstWait: time.Nanosecond,
	}
	if change != nil {
		change(&c)
	}
	a, err := certificate.NewAuthority(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "the site") })
	web := &http.Server{Handler: page, TLSConfig: a.TLS(), ReadHeaderTimeout: time.Minute, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)}
	redirect := &http.Server{Handler: a.Challenges(certificate.Redirect([]string{"https://pay.example"})), ReadHeaderTimeout: time.Minute}
	go func() { _ = web.ServeTLS(secure, "", "") }()
	go func() { _ = redirect.Serve(plain) }()
	t.Cleanup(func() { _, _ = web.Close(), redirect.Close() })
	return &site{a, plain, secure, log}
}

// begin starts a process that shares nothing with other tests: its own database, and an authority that calls it.
func begin(t *testing.T) (*pgxpool.Pool, *pebbletest.Authority, *site) {
	t.Helper()
	pool, plain, secure := dbtest.Pool(t), listen(t), listen(t)
	pebble := startPebble(t, port(plain), port(secure))
	return pool, pebble, open(t, pool, pebble, plain, secure, nil)
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
	if state.NegotiatedProtocol != "h2" {
		t.Errorf("negotiated protocol %q", state.NegotiatedProtocol)
	}
	return state.PeerCertificates[0]
}

// keep stores a file of pay.example's certificate in place of the present one.
func keep(t *testing.T, pool *pgxpool.Pool, ending string, content []byte) {
	t.Helper()
	var key string
	err := pool.QueryRow(t.Context(), "SELECT key FROM certificate_file WHERE key LIKE '%/pay.example.' || $1", ending).Scan(&key)
	if err != nil {
		t.Fatal(err)
	}
	sealed := box(t, dbtest.Secret).Seal(content, "certificate "+key)
	if _, err := pool.Exec(t.Context(), "UPDATE certificate_file SET sealed = $2 WHERE key = $1", key, sealed); err != nil {
		t.Fatal(err)
	}
}

// age stores a certificate that is due for renewal in place of the present one, and returns the roots that verify it.
func age(t *testing.T, pool *pgxpool.Pool) *x509.CertPool {
	t.Helper()
	old, roots := sign(t, "pay.example", 1, time.Hour), x509.NewCertPool()
	keep(t, pool, "crt", old.certificate)
	keep(t, pool, "key", old.key)
	roots.AppendCertsFromPEM(old.certificate)
	return roots
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
			first := open(t, pool, pebble, plain, secure, nil)
			if got := first.shake(t, "pay.example", pebble.Issued()); got != nil {
				t.Error("a certificate was served before the authority issued one")
			}
			if got := first.States(); len(got) != 1 || got[0].Name != "pay.example" || !got[0].Ends.IsZero() || got[0].Failing {
				t.Errorf("states before the order: %+v", got)
			}
			first.Check(t.Context())
			served := first.shake(t, "pay.example", pebble.Issued())
			if served == nil || first.log.count("ERROR") != 0 {
				t.Fatalf("no certificate: %s\n%s", &first.log.text, pebble.Log())
			}
			if got := first.States()[0]; !got.Ends.Equal(served.NotAfter) || got.Failing {
				t.Errorf("state after the order: %+v, the certificate ends %s", got, served.NotAfter)
			}

			// Another process uses it without a new order, and so does this one after a restart.
			orders := pebble.Orders()
			second := open(t, pool, pebble, listen(t), listen(t), nil)
			if got := second.shake(t, "pay.example", pebble.Issued()); got == nil || !got.Equal(served) {
				t.Errorf("the second process serves another certificate: %v", got)
			}
			second.Check(t.Context())
			first.Check(t.Context())
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
	sites := []*site{open(t, pool, pebble, listen(t), listen(t), nil), open(t, pool, pebble, plain, secure, nil)}
	var both sync.WaitGroup
	for _, s := range sites {
		both.Go(func() { s.Check(t.Context()) })
	}
	both.Wait()
	a, b := sites[0].shake(t, "pay.example", pebble.Issued()), sites[1].shake(t, "pay.example", pebble.Issued())
	if a == nil || b == nil || !a.Equal(b) || pebble.Orders() != 1 {
		t.Errorf("certificates served: %v and %v, %d orders: %s%s", a != nil, b != nil, pebble.Orders(), &sites[0].log.text, &sites[1].log.text)
	}
}

func TestACertificateIsRenewedAndOutlivesADeadAuthority(t *testing.T) {
	t.Parallel()
	pool, pebble, s := begin(t)
	s.Check(t.Context())
	first := s.shake(t, "pay.example", pebble.Issued())
	age(t, pool)
	s.Check(t.Context())
	second := s.shake(t, "pay.example", pebble.Issued())
	if first == nil || second == nil || first.Equal(second) || pebble.Orders() != 2 {
		t.Fatalf("not renewed: served %v, then %v, %d orders: %s", first != nil, second != nil, pebble.Orders(), &s.log.text)
	}

	old := age(t, pool)
	pebble.Stop()
	for range 3 {
		s.Check(t.Context())
	}
	if got := s.shake(t, "pay.example", old); got == nil {
		t.Errorf("while the authority is down, the site serves %v", got)
	}
	if errors, warnings := s.log.count("ERROR"), s.log.count("WARN"); errors != 1 || warnings != 2 || !s.States()[0].Failing {
		t.Errorf("three failures logged %d errors and %d warnings, states %+v", errors, warnings, s.States())
	}

	pebble.Restart() // it has forgotten the account, which costs a try
	for tries := 0; tries < 3 && s.States()[0].Failing; tries++ {
		s.Check(t.Context())
	}
	third := s.shake(t, "pay.example", pebble.Issued())
	if third == nil || s.States()[0].Failing || s.log.count("ERROR") != 1 {
		t.Errorf("after the authority's return: served %v, states %+v: %s", third != nil, s.States(), &s.log.text)
	}
}

func TestAFailedOrderIsNotRetriedAtOnce(t *testing.T) {
	t.Parallel()
	pool, plain, secure := dbtest.Pool(t), listen(t), listen(t)
	pebble := startPebble(t, 1, 1) // it cannot reach the site
	s := open(t, pool, pebble, plain, secure, func(c *certificate.AuthorityConfig) { c.FirstWait = time.Hour })
	s.Check(t.Context())
	orders := pebble.Orders()
	s.Check(t.Context())
	if orders == 0 || pebble.Orders() != orders || s.log.count("ERROR") != 1 || !s.States()[0].Failing {
		t.Errorf("%d orders, %d after the second check: %s", orders, pebble.Orders(), &s.log.text)
	}
}

func TestOtherNamesGetNoCertificate(t *testing.T) {
	t.Parallel()
	_, pebble, s := begin(t)
	s.Check(t.Context())
	orders := pebble.Orders()
	roots := pebble.Issued()
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
	s.Check(t.Context())
	if pebble.Orders() != orders {
		t.Errorf("%d orders before, %d after", orders, pebble.Orders())
	}
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
		if err != nil {
			t.Fatal(err)
		}
		req.Host = tt.host
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != tt.status || res.Header.Get("Location") != tt.location {
			t.Errorf("%s %s%s: %d %q", tt.method, tt.host, tt.path, res.StatusCode, res.Header.Get("Location"))
		}
	}
}

func TestASiteWithAnotherSecretOrdersItsOwnCertificate(t *testing.T) {
	t.Parallel()
	pool, pebble, s := begin(t)
	s.Check(t.Context())
	first := s.shake(t, "pay.example", pebble.Issued())
	other, err := certificate.NewAuthority(t.Context(), certificate.AuthorityConfig{
		Names: []string{"pay.example"}, Directory: pebble.Directory, Roots: pebble.Roots, HTTP: s.plain.Addr(), HTTPS: s.secure.Addr(), Pool: pool,
		Box: box(t, "another secret"), Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := other.States()[0]; !got.Ends.IsZero() {
		t.Errorf("a certificate sealed with another secret was read: %+v", got)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	other.Check(ctx)
	if got := other.States()[0]; first == nil || got.Ends.IsZero() || got.Failing {
		t.Errorf("state after the order: %+v", got)
	}
}
