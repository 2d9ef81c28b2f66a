package certificate

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/caddyserver/certmagic"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/mholt/acmez/v3"
	"go.uber.org/zap"

	"forecourt/internal/kit/secret"
)

// AuthorityConfig holds what an Authority needs.
type AuthorityConfig struct {
	Names     []string // it gets certificates for these names only
	Directory string   // address of the authority's ACME directory; empty: Let's Encrypt
	// HTTP and HTTPS are the addresses on which this process listens, behind ports 80 and 443 of every name.
	HTTP, HTTPS net.Addr
	Pool        *pgxpool.Pool
	Box         *secret.Box // seals keys and accounts
	Log         *slog.Logger
	Every       time.Duration // for tests: how often certificates are checked; zero: certmagic's interval
}

// Authority gets certificates and renews them. Several processes on one database share them.
type Authority struct {
	config AuthorityConfig
	magic  *certmagic.Config
	issuer *certmagic.ACMEIssuer
	cache  *certmagic.Cache

	mu     sync.Mutex
	failed map[string]time.Time // when the last try for a name failed
}

// NewAuthority returns an Authority with the certificates that the database holds. It sends nothing to the authority yet.
func NewAuthority(ctx context.Context, c AuthorityConfig) (*Authority, error) {
	a := &Authority{config: c, failed: map[string]time.Time{}}
	log := zap.New(core{c.Log})
	a.cache = certmagic.NewCache(certmagic.CacheOptions{
		GetConfigForCert:   func(certmagic.Certificate) (*certmagic.Config, error) { return a.magic, nil },
		RenewCheckInterval: c.Every, Logger: log,
	})
	a.magic = certmagic.New(a.cache, certmagic.Config{
		Storage: newStore(c.Pool, c.Box), Logger: log, OnEvent: a.note,
		// A process that is killed between storing a new key and its certificate would leave a pair that does not fit.
		ReusePrivateKeys: true,
	})
	httpHost, httpPort := split(c.HTTP)
	_, httpsPort := split(c.HTTPS)
	a.issuer = certmagic.NewACMEIssuer(a.magic, certmagic.ACMEIssuer{
		CA: c.Directory, Agreed: true, Logger: log,
		// certmagic would listen there if this process did not.
		ListenHost: httpHost, AltHTTPPort: httpPort, AltTLSALPNPort: httpsPort,
	})
	a.magic.Issuers = []certmagic.Issuer{a.issuer}
	for _, name := range c.Names {
		if _, err := a.magic.CacheManagedCertificate(ctx, name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			a.cache.Stop()
			return nil, fmt.Errorf("the certificate of %s: %w", name, err)
		}
	}
	return a, nil
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

// Watch gets and renews certificates until ctx ends. Call it once the process listens, because the authority connects to it.
func (a *Authority) Watch(ctx context.Context) {
	defer a.cache.Stop()
	err := a.magic.ManageAsync(ctx, a.config.Names)
	if err == nil {
		err = a.cache.RenewManagedCertificates(ctx) // those that became due while no process ran
	}
	if err != nil {
		a.config.Log.ErrorContext(ctx, "certificates are not managed", "error", err)
	}
	<-ctx.Done()
}

// note keeps and logs what becomes of the tries to get a certificate.
func (a *Authority) note(ctx context.Context, event string, data map[string]any) error {
	name, _ := data["identifier"].(string)
	a.mu.Lock()
	defer a.mu.Unlock()
	switch event {
	case "cert_failed":
		a.failed[name] = time.Now()
		a.config.Log.ErrorContext(ctx, "no new certificate", "name", name, "error", data["error"])
	case "cert_obtained":
		delete(a.failed, name)
		a.config.Log.InfoContext(ctx, "a new certificate was obtained", "name", name)
	}
	return nil
}

// TLS returns the configuration of the https server. It also answers the authority's challenges there.
func (a *Authority) TLS() *tls.Config {
	return newTLS(func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		if !a.ours(hello.ServerName) { // certmagic would look it up in the database if it were a challenge
			return nil, fmt.Errorf("no certificate for the name %q", hello.ServerName)
		}
		return a.magic.GetCertificate(hello)
	}, acmez.ACMETLS1Protocol)
}

func (a *Authority) ours(host string) bool { return slices.Contains(a.config.Names, hostname(host)) }

// Challenges answers the authority's challenges over http, and passes everything else to next.
func (a *Authority) Challenges(next http.Handler) http.Handler {
	challenges := a.issuer.HTTPChallengeHandler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.ours(r.Host) {
			challenges.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// States returns the state of each name's certificate, in the order of the names.
func (a *Authority) States() []State {
	a.mu.Lock()
	defer a.mu.Unlock()
	var states []State
	for _, name := range a.config.Names {
		s := State{Name: name}
		failed := a.failed[name]
		s.Failing = !failed.IsZero()
		for _, c := range a.cache.AllMatchingCertificates(name) {
			s.Ends = c.Leaf.NotAfter
			s.Failing = s.Failing && c.Leaf.NotBefore.Before(failed) // another process may have got a new one since
		}
		states = append(states, s)
	}
	return states
}
