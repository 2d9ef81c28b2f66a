package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
)

// databaseWithin is how long a check waits for an external database.
const databaseWithin = 20 * time.Second

// checkConfig prints what serve would do with these settings. It creates, migrates and listens on nothing, and may run beside
// a serving program.
func checkConfig(ctx context.Context, c config, env environment) error {
	if err := checkCertificate(c, time.Now()); err != nil {
		return err
	}
	store, err := c.checkStore(ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(env.stdout, 0, 4, 2, ' ', 0)
	for _, line := range [][2]string{
		{"listen", c.checkedListen()},
		{"admin", or(c.AdminAddr, "off")},
		{"public address", c.checkedURL()},
		{"database", store.name},
		{"demo data", map[bool]string{true: "loaded at start", false: "not loaded; disabled if it was loaded before"}[c.demo]},
		{"gateway", c.checkedGateway() + ", " + c.GatewayTimeout.String() + " a call"},
		{"mail", c.checkedMail()},
		{"traces", c.checkedTraces()},
		{"secrets", c.checkedSecrets()},
		{"set", setNames(env.getenv)},
	} {
		fmt.Fprintf(table, "%s\t%s\n", line[0], line[1])
	}
	unknown := unknownSettings(env.environ)
	for _, name := range unknown {
		fmt.Fprintln(table, name+": there is no such setting")
	}
	for _, problem := range store.problems {
		fmt.Fprintln(table, "DATABASE_URL: "+problem)
	}
	if c.openDemo() {
		fmt.Fprintln(table, "FORECOURT_DEMO: this is a demo that others can reach, with passwords that everybody knows; use it for nothing else")
	}
	if madeUp := c.madeUp(); len(madeUp) > 0 {
		fmt.Fprintln(table, "Not in BRAND_FILE, so the pages show made-up values for "+strings.Join(madeUp, " "))
	}
	mail := c.checkMail()
	if len(store.problems)+len(unknown) == 0 && !c.openDemo() && mail == nil {
		fmt.Fprintln(table, "The settings are fine.")
	}
	return errors.Join(table.Flush(), mail)
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

// store is the database that serve would use.
type store struct {
	name     string
	problems []string // of a pooler; serve would start nevertheless
}

// checkStore checks the databases and the secret.
func (c config) checkStore(ctx context.Context) (store, error) {
	var s store
	if c.DatabaseURL == "" {
		var err error
		s.name, err = c.checkFolder()
		return s, err
	}
	ctx, cancel := context.WithTimeout(ctx, databaseWithin)
	defer cancel()
	pool, err := db.Open(ctx, c.DatabaseURL, 1)
	if err != nil {
		return s, fmt.Errorf("DATABASE_URL: %w", err)
	}
	defer pool.Close()
	current, err := db.Current(ctx, pool)
	if err != nil {
		return s, fmt.Errorf("DATABASE_URL: %w", err)
	}
	if s.problems, err = db.PoolerProblems(ctx, pool); err != nil {
		return s, fmt.Errorf("DATABASE_URL: %w", err)
	}
	if _, err := c.listenConfig(ctx, pool); err != nil {
		return s, err
	}
	s.name = databaseName(pool.Config().ConnConfig)
	if db.Pooled(pool) {
		s.name += " through a pooler"
	}
	s.name += map[bool]string{true: ", up to date", false: ", migrated at start"}[current]
	return s, nil
}

// databaseName returns the name of the database with every host that it may be on.
func databaseName(at *pgx.ConnConfig) string {
	hosts := []string{at.Host}
	for _, other := range at.Fallbacks {
		if !slices.Contains(hosts, other.Host) {
			hosts = append(hosts, other.Host)
		}
	}
	return at.Database + " on " + strings.Join(hosts, " or ")
}

// checkFolder checks the data folder of the built-in database.
func (c config) checkFolder() (string, error) {
	folder := or(c.Data, "data")
	if err := becomeOwner(folder); err != nil {
		return "", err
	}
	info, err := os.Stat(filepath.Join(folder, "secret"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", fmt.Errorf("FORECOURT_DATA: %w", err)
	case info.Mode().IsRegular():
		if _, err := c.keptSecret(folder); err != nil {
			return "", err
		}
	}
	_, err = os.Stat(filepath.Join(folder, "cluster", "PG_VERSION"))
	switch {
	case err == nil:
		return "the built-in one, kept in " + folder, nil
	case errors.Is(err, fs.ErrNotExist):
		return "the built-in one, made in " + folder, nil
	}
	return "", fmt.Errorf("FORECOURT_DATA: %w", err)
}

func (c config) checkedListen() string {
	listen := c.scheme() + " on " + c.Addr
	if len(c.Domains) > 0 {
		listen += ", with certificates for " + strings.Join(c.Domains, ", ") + " from " + or(c.ACME, "Let's Encrypt")
	}
	if c.PlainAddr != "" {
		listen += "; http on " + c.PlainAddr + " leads there"
	}
	return listen
}

func (c config) checkedURL() string {
	if c.URL != nil {
		return c.URL.String()
	}
	return "the listen address"
}

func (c config) checkedGateway() string {
	if c.GatewayURL == "" && !c.demo {
		return "the built-in sandbox, test mode only"
	}
	return or(c.GatewayURL, "the built-in sandbox")
}

func (c config) checkedSecrets() string {
	switch n := len(c.SecretPrevious); n {
	case 0:
		return "one"
	default:
		return fmt.Sprintf("one, and %d previous", n)
	}
}

func (c config) checkedMail() string {
	if c.MailServer != nil {
		return "sent by the server of SMTP_URL"
	}
	return "kept in the outbox"
}
