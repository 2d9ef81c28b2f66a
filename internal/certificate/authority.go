package certificate

import (
	"cmp"
	"context"
	"crypto"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/caddyserver/certmagic"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/mholt/acmez/v3"
	"go.uber.org/zap"

	"forecourt/internal/secret"
)

const (
	// every is how often a certificate is checked. Another process may have a new one.
	every = time.Minute
	// patience is how long it may take to get one certificate.
	patience = 3 * time.Minute
	// The waits after failures double from the first to the last. An authority may allow five failures an hour.
	firstWait, lastWait = 2 * time.Minute, time.Hour
	// due is the share of a certificate's life that is left when it is renewed.
	due = 1. / 3
)

// AuthorityConfig holds what an Authority needs.
type AuthorityConfig struct {
	Names     []string       // it gets certificates for these names only
	Directory string         // address of the authority's ACME directory; empty: Let's Encrypt
	Roots     *x509.CertPool // roots that verify the authority's own certificate; nil: the system's
	Contact   string         // mail address for the authority; may be empty
	// HTTP and HTTPS are the addresses on which this process listens, behind ports 80 and 443 of every name.
	HTTP, HTTPS net.Addr
	Pool        *pgxpool.Pool
	Box         *secret.Box // seals keys and accounts
	Log         *slog.Logger

	// For tests; zero takes the constants above.
	Every, FirstWait time.Duration
}

// Authority gets certificates and renews them. Several processes on one database share them.
type Authority struct {
	config AuthorityConfig
	magic  *certmagic.Config
	issuer *certmagic.ACMEIssuer
	cache  *certmagic.Cache

	mu    sync.RWMutex
	names map[string]*named
}

// named is what a process knows about the certificate of a name.
type named struct {
	certificate *tls.Certificate // nil: none yet
	failures    int              // in a row
	notBefore   time.Time        // when to try again
}

// NewAuthority returns an Authority with the certificates that the database holds. It sends nothing to the authority yet.
func NewAuthority(ctx context.Context, c AuthorityConfig) (*Authority, error) {
	c.Every, c.FirstWait = cmp.Or(c.Every, every), cmp.Or(c.FirstWait, firstWait)
	a := &Authority{config: c, names: map[string]*named{}}
	quiet := zap.NewNop() // the errors say whatever goes wrong
	// certmagic's own cache stays empty, because it would renew by its own schedule.
	a.cache = certmagic.NewCache(certmagic.CacheOptions{
		GetConfigForCert: func(certmagic.Certificate) (*certmagic.Config, error) { return a.magic, nil }, Logger: quiet,
	})
	a.magic = certmagic.New(a.cache, certmagic.Config{
		Storage: newStore(c.Pool, c.Box), Logger: quiet, OCSP: certmagic.OCSPConfig{DisableStapling: true}, DisableARI: true,
		RenewalWindowRatio: due, DisableStorageCheck: true,
	})
	httpHost, httpPort := split(c.HTTP)
	_, httpsPort := split(c.HTTPS)
	a.issuer = certmagic.NewACMEIssuer(a.magic, certmagic.ACMEIssuer{
		CA: c.Directory, Email: c.Contact, Agreed: true, TrustedRoots: c.Roots, Logger: quiet, HTTPProxy: proxy,
		// certmagic would listen there if this process did not.
		ListenHost: httpHost, AltHTTPPort: httpPort, AltTLSALPNPort: httpsPort,
	})
	a.magic.Issuers = []certmagic.Issuer{guarded{a.issuer}}
	for _, name := range c.Names {
		a.names[name] = &named{}
		switch err := a.load(ctx, name); {
		case errors.Is(err, errUnusable):
			c.Log.WarnContext(ctx, "the stored certificate cannot be used", "name", name, "error", err)
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			a.cache.Stop()
			return nil, fmt.Errorf("the certificate of %s: %w", name, err)
		}
	}
	return a, nil
}

// proxy returns the proxy for a request to the authority. It refuses redirects, which could lead to servers that only this machine reaches;
// certmagic has no other place to do so.
func proxy(r *http.Request) (*url.URL, error) {
	if r.Response != nil {
		return nil, errors.New("the authority redirects elsewhere")
	}
	return http.ProxyFromEnvironment(r)
}

func split(at net.Addr) (host string, port int) {
	if tcp, ok := at.(*net.TCPAddr); ok {
		if tcp.IP.IsUnspecified() {
			return "", tcp.Port
		}
		return tcp.IP.String(), tcp.Port
	}
	return "", 0
}

// guarded is an issuer that never asks a person for a mail address at the terminal, and refuses certificates that are of no use.
type guarded struct{ *certmagic.ACMEIssuer }

// PreCheck implements certmagic.PreChecker.
func (g guarded) PreCheck(ctx context.Context, names []string, _ bool) error {
	return g.ACMEIssuer.PreCheck(ctx, names, false)
}

// Issue implements certmagic.Issuer. certmagic would store any answer of the authority in place of the present certificate.
func (g guarded) Issue(ctx context.Context, request *x509.CertificateRequest) (*certmagic.IssuedCertificate, error) {
	issued, err := g.ACMEIssuer.Issue(ctx, request)
	if err != nil {
		return nil, err
	}
	if err := checkIssued(request, issued.Certificate, time.Now()); err != nil {
		return nil, fmt.Errorf("the new certificate cannot be used: %w", err)
	}
	return issued, nil
}

// publicKey is what every public key of the standard library implements.
type publicKey interface {
	Equal(key crypto.PublicKey) bool
}

// clockBehind is how far the clock here may be behind the authority's: visitors with a right clock accept the certificate.
const clockBehind = 24 * time.Hour

// checkIssued returns what is wrong with a certificate that was issued for a request.
func checkIssued(request *x509.CertificateRequest, chain []byte, now time.Time) error {
	block, _ := pem.Decode(chain)
	if block == nil {
		return errors.New("it is not in PEM")
	}
	leaf, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		return err
	}
	key, ok := leaf.PublicKey.(publicKey)
	if !ok || !key.Equal(request.PublicKey) {
		return errors.New("it is for another key")
	}
	if ahead := leaf.NotBefore.Sub(now); ahead > 0 && ahead < clockBehind {
		now = leaf.NotBefore
	}
	for _, name := range request.DNSNames {
		if err := usable(leaf, name, now); err != nil {
			return err
		}
	}
	return nil
}

// TLS returns the configuration of the https server. It also answers the authority's challenges there.
func (a *Authority) TLS() *tls.Config { return newTLS(a.get, acmez.ACMETLS1Protocol) }

func (a *Authority) get(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	name := hostname(hello.ServerName)
	a.mu.RLock()
	n, ours := a.names[name]
	a.mu.RUnlock()
	switch {
	case !ours:
		return nil, fmt.Errorf("no certificate for the name %q", name)
	case slices.Equal(hello.SupportedProtos, []string{acmez.ACMETLS1Protocol}):
		return a.magic.GetCertificate(hello)
	}
	a.mu.RLock()
	defer a.mu.RUnlock()
	if n.certificate == nil {
		return nil, fmt.Errorf("no certificate for %s yet", name)
	}
	return n.certificate, nil
}

// Challenges answers the authority's challenges over http, and passes everything else to next.
func (a *Authority) Challenges(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, ours := a.names[hostname(r.Host)]; ours && a.issuer.HandleHTTPChallenge(w, r) {
			return
		}
		next.ServeHTTP(w, r)
	})
}

// States returns the state of each name's certificate, in the order of the names.
func (a *Authority) States() []State {
	a.mu.RLock()
	defer a.mu.RUnlock()
	var states []State
	for _, name := range a.config.Names {
		n := a.names[name]
		s := State{Name: name, Failing: n.failures > 0}
		if n.certificate != nil {
			s.Ends = n.certificate.Leaf.NotAfter
		}
		states = append(states, s)
	}
	return states
}
