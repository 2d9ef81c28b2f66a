// Package doctor says what is wrong with an installation, and what to do about it.
package doctor

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/internal/kit/fault"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/run/mail"
)

// Verdict is the outcome of a check.
type Verdict string

// The verdicts.
const (
	Fine Verdict = "ok"
	Warn Verdict = "warn"
	Fail Verdict = "fail"
)

// Finding is the result of one check. The zero Finding means that there is nothing to say.
type Finding struct {
	Check   string  `json:"check"`
	Verdict Verdict `json:"verdict"`
	Says    string  `json:"says"`
	Do      string  `json:"do,omitempty"` // advice
}

// Good returns a finding that all is well.
func Good(says string) Finding { return Finding{Verdict: Fine, Says: says} }

// Warning returns a finding that somebody should look into.
func Warning(says, do string) Finding { return Finding{Verdict: Warn, Says: says, Do: do} }

// Failing returns a finding of what does not work.
func Failing(says, do string) Finding { return Finding{Verdict: Fail, Says: says, Do: do} }

// checkup looks at one thing. Its error is a failure, about which do is the advice.
type checkup struct {
	name string
	look func(context.Context) (Finding, error)
	do   string
}

// Site is an installation to examine.
type Site struct {
	Pool        *pgxpool.Pool // nil: no database answers
	DatabaseURL string        // "": the built-in one
	// Listens returns an error if no events arrive over the connection past the database's pooler.
	Listens    func(context.Context, *pgxpool.Pool) error
	Folder     string // the data folder
	Secret     func() (string, error)
	URL        *url.URL // nil: people reach it on this machine alone
	Demo       bool
	Archived   bool           // the built-in database has an archive
	Gateway    gateway.Config // without a URL: the built-in sandbox
	MailServer *mail.Server   // nil for none
	MailFrom   string
	MailTo     string // who gets a test mail; "" for nobody
}

// Doctor examines a site and keeps what it finds.
type Doctor struct {
	Site
	findings []Finding
	roots    *x509.CertPool // for tests; nil: the system's
}

// checkWithin is how long one check may take.
const checkWithin = 20 * time.Second

// Examine makes every check but those of the settings.
func (d *Doctor) Examine(ctx context.Context) {
	if d.Pool != nil {
		d.look(ctx, d.ofDatabase())
	}
	d.look(ctx, d.ofSite())
}

// Add adds a finding. Its text becomes one line.
func (d *Doctor) Add(check string, f Finding) {
	f.Check, f.Says = check, fault.OneLine(f.Says)
	d.findings = append(d.findings, f)
}

// look makes each check.
func (d *Doctor) look(ctx context.Context, checks []checkup) {
	for _, c := range checks {
		ctx, cancel := context.WithTimeout(ctx, checkWithin)
		found, err := c.look(ctx)
		cancel()
		if err != nil {
			found = Failing(err.Error(), c.do)
		}
		if found != (Finding{}) {
			d.Add(c.name, found)
		}
	}
}

// Print writes the findings, as JSON or as a table. Its error says how many checks failed.
func (d *Doctor) Print(to io.Writer, asJSON bool) error {
	failed := 0
	for _, f := range d.findings {
		if f.Verdict == Fail {
			failed++
		}
	}
	if asJSON {
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

func inUTC(t time.Time) string { return t.UTC().Format(time.RFC3339) }
