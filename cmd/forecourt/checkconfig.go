package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
)

// databaseWithin is how long a check waits for a database outside.
const databaseWithin = 10 * time.Second

// checkConfig tells what serve would do with these settings and does none of it: nothing is made, migrated or listened on.
// It may run beside a serving program.
func checkConfig(ctx context.Context, c config, stdout io.Writer) error {
	if err := checkCertificate(c, time.Now()); err != nil {
		return err
	}
	base, err := c.checkStore(ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(stdout, 0, 4, 2, ' ', 0)
	for _, line := range [][2]string{
		{"listen", c.checkedListen()},
		{"admin", or(c.adminAddr, "off")},
		{"public address", c.checkedURL()},
		{"database", base},
		{"demo data", map[bool]string{true: "loaded at start", false: "not loaded"}[c.demo]},
		{"gateway", or(c.gatewayURL, "the sandbox inside") + ", " + c.gatewayTimeout.String() + " a call"},
		{"mail", c.checkedMail()},
		{"traces", c.checkedTraces()},
	} {
		fmt.Fprintf(table, "%s\t%s\n", line[0], line[1])
	}
	fmt.Fprintln(table, "The settings are fine.")
	return table.Flush()
}

// checkCertificate refuses a certificate that no browser would take any more, or not for this address.
func checkCertificate(c config, now time.Time) error {
	if c.tlsCert == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(c.tlsCert, c.tlsKey)
	if err != nil {
		return &settingError{"TLS_CERT", err.Error()}
	}
	switch {
	case now.After(pair.Leaf.NotAfter):
		return &settingError{"TLS_CERT", "the certificate ended on " + pair.Leaf.NotAfter.UTC().Format(time.DateOnly)}
	case now.Before(pair.Leaf.NotBefore):
		return &settingError{"TLS_CERT", "the certificate begins on " + pair.Leaf.NotBefore.UTC().Format(time.DateOnly)}
	case c.url == nil:
		return nil
	}
	if err := pair.Leaf.VerifyHostname(c.url.Hostname()); err != nil {
		return &settingError{"TLS_CERT", fmt.Sprintf("the certificate is not for %s", c.url.Hostname())}
	}
	return nil
}

// checkStore looks at the database and at the secret, and says what would be used.
func (c config) checkStore(ctx context.Context) (string, error) {
	if c.databaseURL == "" {
		return c.checkFolder()
	}
	ctx, cancel := context.WithTimeout(ctx, databaseWithin)
	defer cancel()
	pool, err := db.Open(ctx, c.databaseURL, 1)
	if err != nil {
		return "", fmt.Errorf("DATABASE_URL: %w", err)
	}
	defer pool.Close()
	current, err := db.Current(ctx, pool)
	if err != nil {
		return "", fmt.Errorf("DATABASE_URL: %w", err)
	}
	if c.databaseListen != "" {
		listen, err := pgx.Connect(ctx, c.databaseListen)
		if err != nil {
			return "", fmt.Errorf("DATABASE_LISTEN_URL: %w", err)
		}
		if err := listen.Close(ctx); err != nil {
			return "", fmt.Errorf("DATABASE_LISTEN_URL: %w", err)
		}
	}
	at := pool.Config().ConnConfig
	name := fmt.Sprintf("%s on %s", at.Database, at.Host)
	if current {
		return name + ", up to date", nil
	}
	return name + ", migrated at start", nil
}

// checkFolder looks at the data folder of the database inside.
func (c config) checkFolder() (string, error) {
	folder := or(c.data, "data")
	info, err := os.Stat(filepath.Join(folder, "secret"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", fmt.Errorf("FORECOURT_DATA: %w", err)
	case info.Mode().IsRegular():
		if _, err := loadSecret(folder); err != nil {
			return "", err
		}
	}
	_, err = os.Stat(filepath.Join(folder, "cluster", "PG_VERSION"))
	switch {
	case err == nil:
		return "the one inside, kept in " + folder, nil
	case errors.Is(err, fs.ErrNotExist):
		return "the one inside, made in " + folder, nil
	}
	return "", fmt.Errorf("FORECOURT_DATA: %w", err)
}

func (c config) checkedListen() string {
	if c.tlsCert != "" {
		return "https on " + c.addr
	}
	return "http on " + c.addr
}

func (c config) checkedURL() string {
	if c.url != nil {
		return c.url.String()
	}
	return "the listen address"
}

func (c config) checkedMail() string {
	if c.mailServer != nil {
		return "sent by the server of SMTP_URL"
	}
	return "kept in the outbox"
}
