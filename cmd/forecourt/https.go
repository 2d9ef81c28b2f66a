package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"

	"forecourt/internal/kit/secret"
	"forecourt/ops/certificate"
)

// defaultAddr is the listen address if none is set.
const defaultAddr = "127.0.0.1:8080"

// settleAddresses derives what FORECOURT_DOMAIN implies: ports 80 and 443, and the site's addresses.
func (c *config) settleAddresses() error {
	listen := append(c.Listen, "", "")
	if c.Addr, c.PlainAddr = listen[0], listen[1]; len(c.Listen) > 2 {
		return &settingError{"FORECOURT_ADDR", "it has to be one HOST:PORT, or two"}
	}
	for i, one := range c.URLs {
		if i == 0 {
			c.URL = one
		} else {
			c.OtherURLs = append(c.OtherURLs, one.String())
		}
	}
	if len(c.Domains) == 0 {
		c.Addr = cmp.Or(c.Addr, defaultAddr)
		if c.ACME != "" {
			return &settingError{"FORECOURT_DOMAIN", "it is required with ACME_URL"}
		}
		return nil
	}
	c.Addr, c.PlainAddr = cmp.Or(c.Addr, ":443"), cmp.Or(c.PlainAddr, ":80")
	if c.URL == nil {
		c.URL = &url.URL{Scheme: "https", Host: c.Domains[0]}
	}
	for _, domain := range c.Domains {
		if domain != c.URL.Hostname() {
			c.OtherURLs = append(c.OtherURLs, "https://"+domain)
		}
	}
	authority, err := url.Parse(c.ACME)
	switch {
	case !slices.Contains(c.Domains, c.URL.Hostname()) || c.URL.Scheme != "https":
		return &settingError{"FORECOURT_URL", "with FORECOURT_DOMAIN it has to be https and one of its names"}
	case c.TLSCert != "" || c.TLSKey != "":
		return &settingError{"TLS_CERT", "it cannot go with FORECOURT_DOMAIN, which gets a certificate by itself"}
	case err != nil || c.ACME != "" && authority.Scheme != "https":
		return &settingError{"ACME_URL", "it has to be https"}
	}
	return nil
}

// checkAddresses refuses to give two listeners one address.
func (c *config) checkAddresses() error {
	switch {
	case overlap(c.AdminAddr, c.Addr):
		return &settingError{"FORECOURT_ADMIN_ADDR", "it has to be another address than FORECOURT_ADDR, which everybody reaches"}
	case overlap(c.AdminAddr, c.PlainAddr):
		return &settingError{"FORECOURT_ADMIN_ADDR", "it has to be another address than the one that redirects to https, which everybody reaches"}
	case overlap(c.PlainAddr, c.Addr):
		return &settingError{"FORECOURT_ADDR", "the address that redirects to https has to be another one"}
	}
	return nil
}

// overlap reports whether two listeners cannot use these addresses at the same time.
func overlap(one, other string) bool {
	host, port, err := net.SplitHostPort(one)
	otherHost, otherPort, otherErr := net.SplitHostPort(other)
	return err == nil && otherErr == nil && port == otherPort && port != "0" &&
		(host == otherHost || everywhere(host) || everywhere(otherHost))
}

func (c *config) checkTLS() error {
	if c.PlainAddr != "" && (c.scheme() != "https" || c.URL == nil || c.URL.Scheme != "https") {
		return &settingError{
			"FORECOURT_ADDR", "the second address redirects to https, so it needs FORECOURT_DOMAIN, or TLS_CERT and a FORECOURT_URL that is https",
		}
	}
	_, err := readKeyPair("TLS_CERT", c.TLSCert, "TLS_KEY", c.TLSKey)
	return err
}

// scheme returns the protocol on FORECOURT_ADDR, http or https.
func (c *config) scheme() string {
	if c.TLSCert != "" || len(c.Domains) > 0 {
		return "https"
	}
	return "http"
}

// host returns the site's name, "" if none is set.
func (c *config) host() string {
	if c.URL == nil {
		return ""
	}
	return c.URL.Hostname()
}

// listeners has the site, the address that redirects to https, and the one for operators; the latter two may be nil.
type listeners struct{ main, plain, admin net.Listener }

func listen(c config) (*listeners, error) {
	l := &listeners{}
	for _, one := range []struct {
		setting, address string
		listener         *net.Listener
	}{
		{"FORECOURT_ADDR", c.Addr, &l.main}, {"FORECOURT_ADDR", c.PlainAddr, &l.plain}, {"FORECOURT_ADMIN_ADDR", c.AdminAddr, &l.admin},
	} {
		if one.address == "" {
			continue
		}
		var err error
		if *one.listener, err = net.Listen("tcp", one.address); err != nil {
			l.close()
			if errors.Is(err, os.ErrPermission) {
				err = fmt.Errorf("%w: this user may not listen on the port; the systemd drop-in deploy/forecourt-https.conf allows it", err)
			}
			return nil, fmt.Errorf("%s: %w", one.setting, err)
		}
	}
	return l, nil
}

func (l *listeners) close() {
	for _, listener := range []net.Listener{l.main, l.plain, l.admin} {
		if listener != nil {
			_ = listener.Close()
		}
	}
}

// certificates provides the certificates with which the site serves https.
type certificates interface {
	TLS() *tls.Config
	States() []certificate.State
	Watch(ctx context.Context)
}

// openCertificates returns nil if the program speaks plain http.
func (s *server) openCertificates(ctx context.Context) (certificates, error) {
	var c certificates
	switch {
	case len(s.Domains) > 0:
		var err error
		c, err = certificate.NewAuthority(ctx, certificate.AuthorityConfig{
			Names: s.Domains, Directory: s.ACME,
			HTTP: s.plain.Addr(), HTTPS: s.main.Addr(), Pool: s.pool, Log: s.log,
			Box: secret.NewRing(s.Secret).Box(certificate.Purpose),
		})
		if err != nil {
			return nil, err
		}
	case s.TLSCert != "":
		var err error
		if c, err = certificate.OpenFiles(s.TLSCert, s.TLSKey, s.host(), s.log); err != nil {
			return nil, &settingError{"TLS_CERT", err.Error()}
		}
	default:
		return nil, nil //nolint:nilnil // nil is plain http
	}
	s.metrics.Register(certificate.Collector(c.States))
	return c, nil
}

// newPlain returns the server that redirects to https.
func (s *server) newPlain() *http.Server {
	handler := certificate.Redirect(s.origins())
	if a, ok := s.https.(*certificate.Authority); ok {
		handler = a.Challenges(handler)
	}
	return newWeb(handler, s.log)
}

// served returns nil if err is that of a server that was shut down, and err otherwise.
func served(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
