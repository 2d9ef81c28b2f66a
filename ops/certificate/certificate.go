// Package certificate provides the certificates with which the site serves https: those that it gets by itself from an authority (ACME), or
// one that an operator keeps in files.
package certificate

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

// State is the state of a name's certificate.
type State struct {
	Name string
	// Ends is when the certificate that is served expires; zero if there is none yet.
	Ends time.Time
	// Failing reports that the last attempt to get or read a new one failed.
	Failing bool
}

// Usable returns why a certificate cannot be served now, or nil. An empty host means any name.
func Usable(leaf *x509.Certificate, host string, now time.Time) error {
	switch {
	case now.After(leaf.NotAfter):
		return fmt.Errorf("it ended on %s", leaf.NotAfter.UTC().Format(time.DateOnly))
	case now.Before(leaf.NotBefore):
		return fmt.Errorf("it begins on %s", leaf.NotBefore.UTC().Format(time.DateOnly))
	case host == "":
		return nil
	}
	return leaf.VerifyHostname(host)
}

// newTLS returns the configuration of a server that takes its certificates from get.
func newTLS(get func(*tls.ClientHelloInfo) (*tls.Certificate, error), protocols ...string) *tls.Config {
	return &tls.Config{GetCertificate: get, NextProtos: append([]string{"h2", "http/1.1"}, protocols...), MinVersion: tls.VersionTLS12}
}

// Redirect redirects http to the same page over https. origins are the addresses of the site, such as https://pay.example. A request for
// any other name gets 421, and a request that would change something gets 403: its content has already been sent in the clear, and a
// redirect would hide that.
func Redirect(origins []string) http.Handler {
	byName := map[string]string{}
	for _, origin := range origins {
		if host, ok := strings.CutPrefix(origin, "https://"); ok {
			byName[hostname(host)] = origin
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin, ours := byName[hostname(r.Host)]
		switch {
		case !ours:
			http.Error(w, "This site is not served here.", http.StatusMisdirectedRequest)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			http.Error(w, "This site accepts forms only over https.", http.StatusForbidden)
		default:
			http.Redirect(w, r, origin+r.URL.RequestURI(), http.StatusPermanentRedirect) //nolint:gosec // the origin is one of the settings
		}
	})
}

// hostname returns a host without its port, in lower case.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}
