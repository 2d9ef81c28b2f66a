package certificate

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/caddyserver/certmagic"
)

// Watch gets and renews certificates until ctx ends. Call it once the process listens, because the authority connects to it.
func (a *Authority) Watch(ctx context.Context) {
	tick := time.NewTicker(a.config.Every)
	defer tick.Stop()
	defer a.cache.Stop()
	for {
		a.Check(ctx)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// Check checks every name once, and gets or renews the certificates that are due.
func (a *Authority) Check(ctx context.Context) {
	for _, name := range a.config.Names {
		if err := a.check(ctx, name); ctx.Err() == nil {
			a.note(ctx, name, err)
		}
	}
}

// errEarly means that nothing was tried: the last failure is too recent, or the database is down and no certificate is due.
var errEarly = errors.New("too early to try again")

// errUnusable means that the stored certificate and key are not a pair: a process was killed between storing the one and the other.
var errUnusable = errors.New("the stored certificate is unusable")

func (a *Authority) check(ctx context.Context, name string) error {
	// Another process may have renewed it. While the database is down, the certificate in memory is served.
	err := a.load(ctx, name)
	unusable := errors.Is(err, errUnusable)
	missing := unusable || errors.Is(err, fs.ErrNotExist)
	a.mu.RLock()
	n := *a.names[name]
	a.mu.RUnlock()
	now := time.Now()
	switch idle := n.certificate != nil && !isDue(n.certificate, now); {
	case err == nil && idle:
		return nil
	case err != nil && !missing && idle, now.Before(n.notBefore):
		return errEarly
	case err != nil && !missing:
		return err
	}
	getting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if unusable {
		err = a.drop(getting, name)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = a.magic.ObtainCertSync(getting, name)
	case err == nil:
		err = a.magic.RenewCertSync(getting, name, false)
	}
	if err != nil {
		return err
	}
	if err := a.load(ctx, name); err != nil {
		return err
	}
	a.mu.RLock()
	defer a.mu.RUnlock()
	if c := a.names[name].certificate; isDue(c, now) && (n.certificate == nil || !c.Leaf.Equal(n.certificate.Leaf)) { // certmagic's window begins a second later
		return fmt.Errorf("the new certificate, which ends on %s, is due for renewal already", c.Leaf.NotAfter.UTC().Format(time.DateOnly))
	}
	return nil
}

// isDue reports whether it is time to renew a certificate.
func isDue(c *tls.Certificate, now time.Time) bool {
	life := c.Leaf.NotAfter.Sub(c.Leaf.NotBefore)
	return c.Leaf.NotAfter.Sub(now) < time.Duration(float64(life)*due)
}

// drop deletes an unusable certificate, so that another one can be obtained, and returns fs.ErrNotExist. It returns nil if the certificate has
// become usable.
func (a *Authority) drop(ctx context.Context, name string) error {
	// certmagic holds this lock while it stores the key and the certificate one after the other.
	lock := "issue_cert_" + name
	if err := a.magic.Storage.Lock(ctx, lock); err != nil {
		return err
	}
	defer func() { _ = a.magic.Storage.Unlock(ctx, lock) }() // it ends by itself
	if err := a.load(ctx, name); !errors.Is(err, errUnusable) {
		return err
	}
	if err := a.magic.Storage.Delete(ctx, certmagic.StorageKeys.SiteCert(a.issuer.IssuerKey(), name)); err != nil {
		return err
	}
	return fs.ErrNotExist
}

// load reads the certificate of a name from the database. The error is fs.ErrNotExist if there is none, and errUnusable if it does not fit
// its key.
func (a *Authority) load(ctx context.Context, name string) error {
	key := a.issuer.IssuerKey()
	chain, err := a.magic.Storage.Load(ctx, certmagic.StorageKeys.SiteCert(key, name))
	if err != nil {
		return err
	}
	private, err := a.magic.Storage.Load(ctx, certmagic.StorageKeys.SitePrivateKey(key, name))
	if err != nil {
		return err
	}
	pair, err := tls.X509KeyPair(chain, private)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnusable, err)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.names[name].certificate = &pair
	return nil
}

// note records the result of a check and logs changes. The first of several failures in a row is logged as an error.
func (a *Authority) note(ctx context.Context, name string, err error) {
	if errors.Is(err, errEarly) {
		return
	}
	a.mu.Lock()
	n := a.names[name]
	before := n.failures
	if err == nil {
		n.failures, n.notBefore = 0, time.Time{}
	} else {
		n.failures++
		n.notBefore = time.Now().Add(min(a.config.FirstWait<<min(before, 10), lastWait))
	}
	after := *n
	a.mu.Unlock()
	switch {
	case err == nil && before > 0:
		a.config.Log.InfoContext(ctx, "a new certificate was obtained", "name", name, "ends", after.certificate.Leaf.NotAfter)
	case err != nil && before == 0:
		a.config.Log.ErrorContext(ctx, "no new certificate", "name", name, "error", err, "again", after.notBefore)
	case err != nil:
		a.config.Log.WarnContext(ctx, "still no new certificate", "name", name, "tries", after.failures, "error", err, "again", after.notBefore)
	}
}
