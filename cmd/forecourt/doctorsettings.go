package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"strings"
	"time"

	"forecourt/db"
)

// settings looks at the settings alone.
func (d *doctor) settings(env environment) {
	before := len(d.findings)
	if unknown := unknownSettings(env.environ); len(unknown) > 0 {
		d.add("settings", warn, "unknown: "+strings.Join(unknown, ", "), "Correct the names; docs/settings.md lists them.")
	}
	if err := d.checkMail(); err != nil {
		d.add("settings", fail, err.Error(), "Set SMTP_URL.")
	}
	if err := checkCertificate(d.config, time.Now()); err != nil {
		d.add("settings", fail, err.Error(), "Renew the files, or correct FORECOURT_URL.")
	}
	if madeUp := d.madeUp(); !d.demo && len(madeUp) > 0 {
		d.add("settings", warn, "pages show made-up values for "+strings.Join(madeUp, " "), "Name them in BRAND_FILE.")
	}
	if d.openDemo() {
		d.add("settings", warn, "this is a demo that others can reach", "Set FORECOURT_DEMO=off for anything else.")
	}
	if len(d.findings) == before {
		d.add("settings", fine, "all names are known; set: "+setNames(env.getenv), "")
	}
}

// pooler looks at a pooler in front of an external database, and at the connection past it over which events arrive.
func (d *doctor) pooler(ctx context.Context) {
	if d.pool == nil || d.DatabaseURL == "" {
		return
	}
	pool, err := db.Open(ctx, d.DatabaseURL, 1)
	if err != nil {
		d.add("pooler", fail, err.Error(), "")
		return
	}
	defer pool.Close()
	problems, err := db.PoolerProblems(ctx, pool)
	if err != nil {
		d.add("pooler", fail, err.Error(), "")
	}
	for _, problem := range problems {
		d.add("pooler", warn, problem, "docs/scaling.md says how poolers are set up.")
	}
	if _, err := d.listenConfig(ctx, pool); err != nil {
		d.add("pooler", fail, err.Error(), "Set DATABASE_LISTEN_URL to the same database without a pooler.")
	}
}

// checkMail refuses a site for real people without a mail server.
func (c config) checkMail() error {
	if c.demo || c.MailServer != nil {
		return nil
	}
	return &settingError{"SMTP_URL", "it has to be set outside demo mode: addresses are verified, and receipts sent, by email"}
}

// checkCertificate refuses a certificate that is not valid now, or not for this address.
func checkCertificate(c config, now time.Time) error {
	if c.TLSCert == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
	if err != nil {
		return &settingError{"TLS_CERT", err.Error()}
	}
	switch {
	case now.After(pair.Leaf.NotAfter):
		return &settingError{"TLS_CERT", "the certificate ended on " + pair.Leaf.NotAfter.UTC().Format(time.DateOnly)}
	case now.Before(pair.Leaf.NotBefore):
		return &settingError{"TLS_CERT", "the certificate begins on " + pair.Leaf.NotBefore.UTC().Format(time.DateOnly)}
	case c.URL == nil:
		return nil
	}
	if err := pair.Leaf.VerifyHostname(c.URL.Hostname()); err != nil {
		return &settingError{"TLS_CERT", fmt.Sprintf("the certificate is not for %s", c.URL.Hostname())}
	}
	return nil
}
