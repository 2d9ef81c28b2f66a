package main

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/ops/embedded"
)

// doctorCommand says what is wrong with an installation, and what to do about it.
type doctorCommand struct {
	Offline bool   `help:"Check the settings alone: neither database nor network is asked."`
	Mail    string `placeholder:"ADDRESS" help:"Send a test mail there."`
	asJSON
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

// finding is the result of one check. The zero finding means that there is nothing to say.
type finding struct {
	Check   string  `json:"check"`
	Verdict verdict `json:"verdict"`
	Says    string  `json:"says"`
	Do      string  `json:"do,omitempty"` // advice
}

func fineAs(says string) finding      { return finding{Verdict: fine, Says: says} }
func warning(says, do string) finding { return finding{Verdict: warn, Says: says, Do: do} }
func failing(says, do string) finding { return finding{Verdict: fail, Says: says, Do: do} }

// checkup looks at one thing. Its error is a failure, about which do is the advice.
type checkup struct {
	name string
	look func(context.Context) (finding, error)
	do   string
}

// doctor checks an installation.
type doctor struct {
	config
	doctorCommand
	pool     *pgxpool.Pool // nil: no database answers
	folder   string
	findings []finding
	roots    *x509.CertPool // for tests; nil: the system's
}

// checkWithin is how long one check may take.
const checkWithin = 20 * time.Second

// Run checks everything and prints what it found.
func (o doctorCommand) Run(ctx context.Context, env environment) error {
	c, err := readConfig(env.getenv)
	d := &doctor{config: c, doctorCommand: o, folder: or(c.Data, "data")}
	if err != nil {
		d.add("settings", failing(err.Error(), "Correct it; forecourt serve --help lists the settings."))
		return d.print(env.stdout)
	}
	d.settings(env)
	if o.Offline {
		return d.print(env.stdout)
	}
	if err := becomeOwner(d.folder); err != nil { // as root, it would follow what the data folder says
		d.add("data folder", failing(err.Error(), "Run this as the owner of the data folder."))
		return d.print(env.stdout)
	}
	closeDatabase := d.open(ctx, env)
	defer closeDatabase()
	if d.pool != nil {
		d.look(ctx, d.ofDatabase())
	}
	d.look(ctx, d.ofSite())
	return d.print(env.stdout)
}

func (d *doctor) add(check string, f finding) {
	f.Check, f.Says = check, oneLine(f.Says)
	d.findings = append(d.findings, f)
}

// look makes each check.
func (d *doctor) look(ctx context.Context, checks []checkup) {
	for _, c := range checks {
		ctx, cancel := context.WithTimeout(ctx, checkWithin)
		found, err := c.look(ctx)
		cancel()
		if err != nil {
			found = failing(err.Error(), c.do)
		}
		if found != (finding{}) {
			d.add(c.name, found)
		}
	}
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
			d.add("database", failing(err.Error(), do))
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
		d.add("database", failing(err.Error(), "Start PostgreSQL, or correct DATABASE_URL."))
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
