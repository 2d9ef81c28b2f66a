package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/internal/pay/gateway"
	"forecourt/ops/certificate"
	"forecourt/ops/doctor"
	"forecourt/ops/embedded"
)

// doctorCommand says what is wrong with an installation, and what to do about it.
type doctorCommand struct {
	Offline bool   `help:"Check the settings alone: neither database nor network is asked."`
	Mail    string `placeholder:"ADDRESS" help:"Send a test mail there."`
	asJSON
}

func (doctorCommand) Help() string {
	return "It changes nothing and may run beside a serving program, with the same settings. Each line is " +
		"ok, warn or fail. The exit code is 1 if any line is fail."
}

// Run checks everything and prints what it found.
func (o doctorCommand) Run(ctx context.Context, env environment) error {
	c, err := readConfig(env.getenv)
	d := &doctor.Doctor{}
	if err != nil {
		d.Add("settings", doctor.Failing(err.Error(), "Correct it; forecourt serve --help lists the settings."))
		return d.Print(env.stdout, o.JSON)
	}
	c.examine(env, d)
	if o.Offline {
		return d.Print(env.stdout, o.JSON)
	}
	d.Site = c.examined(o.Mail)
	if err := embedded.DropPrivileges(d.Folder); err != nil { // as root, it would follow what the data folder says
		d.Add("data folder", doctor.Failing(err.Error(), "Run this as the owner of the data folder."))
		return d.Print(env.stdout, o.JSON)
	}
	closeDatabase := c.openExamined(ctx, env, d)
	defer closeDatabase()
	d.Secret = func() (string, error) {
		if c.Secret != "" {
			return c.Secret, nil
		}
		return loadSecret(d.Folder, "secret")
	}
	d.Examine(ctx)
	return d.Print(env.stdout, o.JSON)
}

// examined returns what the doctor looks at, without a database.
func (c config) examined(mailTo string) doctor.Site {
	return doctor.Site{
		DatabaseURL: c.DatabaseURL, Folder: cmp.Or(c.Data, "data"), URL: c.URL, Demo: c.demo, Archived: c.ArchiveTo != nil,
		Listens: func(ctx context.Context, pool *pgxpool.Pool) error {
			_, err := c.listenConfig(ctx, pool)
			return err
		},
		Gateway: gateway.Config{
			ID: c.GatewayID, URL: c.GatewayURL, Key: c.GatewayKey, Timeout: c.GatewayTimeout, Logger: slog.New(slog.DiscardHandler),
		},
		MailServer: c.MailServer, MailFrom: cmp.Or(c.MailFrom, "no-reply@"+c.siteURL().Hostname()), MailTo: mailTo,
	}
}

// openExamined connects to the database without migrating it. It starts the built-in one if no program is serving.
func (c config) openExamined(ctx context.Context, env environment, d *doctor.Doctor) (closeDatabase func()) {
	nothing := func() {}
	address, end := d.DatabaseURL, nothing
	if address == "" {
		c.beside, c.existing = true, true
		built, err := newDatabase(c, env.commandLog())
		if err == nil {
			address, err = built.startEmbedded(ctx, c, io.Discard)
			d.Folder = built.folder // for root, it may be another one
		}
		if err != nil {
			do := "Read postgres.log in " + built.folder + "; other findings may name the cause."
			if errors.Is(err, embedded.ErrNone) || errors.Is(err, fs.ErrPermission) {
				do = "Start forecourt serve once, or set FORECOURT_DATA to its folder and run this as its user."
			}
			d.Add("database", doctor.Failing(err.Error(), do))
			return nothing
		}
		end = func() { _ = built.close(context.WithoutCancel(ctx)) }
		if app, err := embedded.ForApp(address); err == nil {
			address = app
		}
	}
	config, err := pgxpool.ParseConfig(address)
	if err == nil {
		config.ConnConfig.ConnectTimeout = 5 * time.Second
		d.Pool, err = pgxpool.NewWithConfig(ctx, config)
	}
	if err == nil {
		err = d.Pool.Ping(ctx)
	}
	if err != nil {
		d.Pool = nil
		d.Add("database", doctor.Failing(err.Error(), "Start PostgreSQL, or correct DATABASE_URL."))
		return end
	}
	return func() {
		d.Pool.Close()
		end()
	}
}

// examine looks at the settings alone.
func (c config) examine(env environment, d *doctor.Doctor) {
	fine := true
	add := func(f doctor.Finding) {
		fine = false
		d.Add("settings", f)
	}
	if unknown := unknownSettings(env.environ); len(unknown) > 0 {
		add(doctor.Warning("unknown: "+strings.Join(unknown, ", "), "Correct the names; docs/settings.md lists them."))
	}
	if err := c.checkMail(); err != nil {
		add(doctor.Failing(err.Error(), "Set SMTP_URL."))
	}
	if err := c.checkCertificate(); err != nil {
		add(doctor.Failing(err.Error(), "Renew the files, or correct FORECOURT_URL."))
	}
	if placeholders := c.placeholders(); len(placeholders) > 0 {
		add(doctor.Warning("pages show placeholder values for "+strings.Join(placeholders, " "), "Name them in BRAND_FILE."))
	}
	if c.openDemo() {
		add(doctor.Warning("this is a demo that others can reach", "Set FORECOURT_DEMO=off for anything else."))
	}
	if fine {
		d.Add("settings", doctor.Good("all names are known; set: "+setNames(env.getenv)))
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
func (c config) checkCertificate() error {
	if c.TLSCert == "" {
		return nil
	}
	pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
	if err == nil {
		err = certificate.Usable(pair.Leaf, c.host(), time.Now())
	}
	if err != nil {
		return &settingError{"TLS_CERT", err.Error()}
	}
	return nil
}
