package main

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"text/tabwriter"
	"time"

	"filippo.io/age"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db/embedded"
)

// doctorCommand says what is wrong with an installation, and what to do about it.
type doctorCommand struct {
	Offline  bool   `help:"Check the settings alone: neither database nor network is asked."`
	JSON     bool   `name:"json" help:"As JSON."`
	Mail     string `placeholder:"ADDRESS" help:"Send a test mail there."`
	Restore  bool   `help:"${doctor_restore}"`
	Identity string `placeholder:"FILE" help:"With --restore: the key of the archive."`
	System   string `placeholder:"ID" help:"With --identity: which of several databases in the archive."`
	File     string `placeholder:"FILE" help:"${doctor_file}"`
}

// Help says how to run it and what it prints.
func (doctorCommand) Help() string {
	return "It changes nothing and may run beside a serving program, with the same settings. Each line is " +
		"ok, warn or fail. The exit code is 1 if any line is fail."
}

// verdict is the outcome of a check.
type verdict string

const (
	fine verdict = "ok"
	warn verdict = "warn"
	fail verdict = "fail"
)

// finding is the result of one check.
type finding struct {
	Check   string  `json:"check"`
	Verdict verdict `json:"verdict"`
	Says    string  `json:"says"`
	Do      string  `json:"do,omitempty"` // advice
}

// doctor checks an installation.
type doctor struct {
	config
	doctorCommand
	copied   *os.File            // the backup of --file; nil: the archive or the last one
	identity *age.X25519Identity // of the archive; nil: none
	pool     *pgxpool.Pool       // nil: no database answers
	folder   string
	findings []finding
	roots    *x509.CertPool // for tests; nil: the system's
}

// checkWithin is how long one check may take; a restore takes longer.
const checkWithin = 20 * time.Second

// Run checks everything and prints what it found.
func (o doctorCommand) Run(ctx context.Context, env environment) error {
	c, err := readConfig(env.getenv)
	d := &doctor{config: c, doctorCommand: o, folder: or(c.Data, "data")}
	if err != nil {
		d.add("settings", fail, err.Error(), "Correct it; forecourt serve --help lists the settings.")
		return d.print(env.stdout)
	}
	if o.File != "" {
		if !o.Restore {
			return wrong("--file belongs to --restore")
		}
		if d.copied, err = os.Open(o.File); err != nil { // before root becomes the owner of the data folder
			return err
		}
		defer func() { _ = d.copied.Close() }()
	}
	if o.Identity != "" {
		if d.identity, err = readIdentity(o.Identity); err != nil {
			return err
		}
		if !o.Restore || o.File != "" || d.ArchiveTo == nil {
			return wrong("--identity belongs to --restore, with ARCHIVE_TO and without --file")
		}
	}
	d.settings(env)
	if o.Offline {
		return d.print(env.stdout)
	}
	if err := becomeOwner(d.folder); err != nil { // as root, it would follow what the data folder says
		d.add("data folder", fail, err.Error(), "Run this as the owner of the data folder.")
		return d.print(env.stdout)
	}
	closeDatabase := d.open(ctx, env)
	defer closeDatabase()
	for _, check := range []func(context.Context){
		d.database, d.pooler, d.secret, d.tuning, d.clock, d.disk, d.files,
		d.domain, d.gateway, d.mail, d.passkeys, d.backup, d.archived, d.copies,
	} {
		within, cancel := context.WithTimeout(ctx, checkWithin)
		check(within)
		cancel()
	}
	if o.Restore {
		d.restore(ctx)
	}
	return d.print(env.stdout)
}

func (d *doctor) add(check string, v verdict, says, do string) {
	d.findings = append(d.findings, finding{check, v, oneLine(says), do})
}

// open connects to the database without migrating it. It starts the built-in one if no program is serving.
func (d *doctor) open(ctx context.Context, env environment) (closeDatabase func()) {
	nothing := func() {}
	address, end := d.DatabaseURL, nothing
	if address == "" {
		d.beside, d.existing = true, true
		built, err := newDatabase(d.config, env.commandLog())
		if err == nil {
			address, err = built.startEmbedded(ctx, d.config, io.Discard)
			d.folder = built.folder // for root, it may be another one
		}
		if err != nil {
			do := "Read postgres.log in " + built.folder + "; other findings may name the cause."
			if errors.Is(err, embedded.ErrNone) || errors.Is(err, fs.ErrPermission) {
				do = "Start forecourt serve once, or set FORECOURT_DATA to its folder and run this as its user."
			}
			d.add("database", fail, err.Error(), do)
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
		d.pool, err = pgxpool.NewWithConfig(ctx, config)
	}
	if err == nil {
		err = d.pool.Ping(ctx)
	}
	if err != nil {
		d.pool = nil
		d.add("database", fail, err.Error(), "Start PostgreSQL, or correct DATABASE_URL.")
		return end
	}
	return func() {
		d.pool.Close()
		end()
	}
}

// print writes the findings. Its error says how many checks failed.
func (d *doctor) print(to io.Writer) error {
	failed := 0
	for _, f := range d.findings {
		if f.Verdict == fail {
			failed++
		}
	}
	if d.JSON {
		encoder := json.NewEncoder(to)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(d.findings); err != nil {
			return err
		}
	} else {
		table := tabwriter.NewWriter(to, 0, 4, 2, ' ', 0)
		for _, f := range d.findings {
			fmt.Fprintf(table, "%s\t%s\t%s\n", f.Verdict, f.Check, f.Says)
			if f.Do != "" {
				fmt.Fprintf(table, "\t\t→ %s\n", f.Do)
			}
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d checks failed", failed, len(d.findings))
	}
	return nil
}
