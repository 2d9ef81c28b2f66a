package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os/user"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	"forecourt/internal/live"
	"forecourt/internal/mail"
	"forecourt/internal/money"
	"forecourt/internal/payment"
)

// withPayments opens what a command about payments needs and closes it again.
func withPayments(ctx context.Context, env environment, work func(*payment.Payments) error) error {
	c, err := readConfig(env.getenv)
	if err != nil {
		return err
	}
	c.demo, c.beside = false, true
	log := slog.New(slog.NewJSONHandler(env.stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	d, err := openDatabase(ctx, c, log, env.stderr)
	if err != nil {
		return err
	}
	err = func() error {
		if err := d.makeData(); err != nil {
			return err
		}
		c.demo = c.DatabaseURL == "" // the sandbox takes what the serving program's takes
		link, err := linkGateway(ctx, c, d.folder, &url.URL{Scheme: "http", Host: "127.0.0.1"}, log)
		if err != nil {
			return err
		}
		defer link.close()
		events := live.New(d.pool, d.pool.Config().ConnConfig, log)
		queue, err := mail.NewQueue(d.pool)
		if err != nil {
			return err
		}
		payments := payment.New(d.pool, link.client, payment.Config{
			Timeout: c.GatewayTimeout, Descriptor: c.descriptor, Announce: events.Announce, Mail: queue,
		}, log)
		return errors.Join(work(payments), events.Flush(ctx))
	}()
	return errors.Join(err, d.close(ctx))
}

// operator names who runs a command, for the audit.
func operator() string {
	if u, err := user.Current(); err == nil {
		return "operator " + u.Username
	}
	return "operator"
}

// paymentsCommand is about payments whose outcome a person has to decide.
type paymentsCommand struct {
	List   listPayments  `cmd:"" default:"withargs" help:"List the payments that wait for a person."`
	Decide decidePayment `cmd:"" help:"End a payment that waits for a decision."`
}

// listPayments lists the payments that wait for a person.
type listPayments struct {
	Manual bool `default:"true" hidden:"" help:"Those that a person has to decide; there are no others."`
	JSON   bool `name:"json" help:"As JSON."`
}

// Run prints them.
func (o listPayments) Run(ctx context.Context, env environment) error {
	return withPayments(ctx, env, func(p *payment.Payments) error {
		waiting, err := p.Manual(ctx)
		if err != nil {
			return err
		}
		if o.JSON {
			return json.NewEncoder(env.stdout).Encode(waiting)
		}
		if len(waiting) == 0 {
			_, err := fmt.Fprintln(env.stdout, "No payment waits for a decision.")
			return err
		}
		table := tabwriter.NewWriter(env.stdout, 0, 4, 2, ' ', 0)
		fmt.Fprintln(table, "ATTEMPT\tTRANSACTION\tCLIENT\tAMOUNT\tSINCE\tWHY")
		for _, a := range waiting {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s %s\t%s\t%s\n", a.ID, a.TransactionID, a.ClientCode, money.Wire(a.AmountMinor),
				a.Currency, a.CreatedAt.UTC().Format(time.RFC3339), a.ErrorMsg)
		}
		return table.Flush()
	})
}

// decidePayment ends a payment that waits for a decision.
type decidePayment struct {
	Attempt  string `arg:"" help:"The attempt, a UUID." missing:"the attempt is a UUID, as forecourt payments lists it"`
	Decision string `arg:"" enum:"approved,not_charged" help:"approved or not_charged." missing:"the decision is approved or not_charged"`
	Reason   string `required:"" placeholder:"TEXT" help:"Why, for the audit."`
}

// Run decides it.
func (o decidePayment) Run(ctx context.Context, env environment) error {
	attempt, err := uuid.Parse(o.Attempt)
	switch {
	case err != nil:
		return env.wrong("the attempt is a UUID, as forecourt payments lists it")
	case strings.TrimSpace(o.Reason) == "":
		return env.wrong("--reason is required")
	}
	return withPayments(ctx, env, func(p *payment.Payments) error {
		err := p.Decide(ctx, attempt, o.Decision == "approved", operator(), o.Reason)
		if errors.Is(err, payment.ErrNotManual) {
			return fmt.Errorf("attempt %s does not wait for a decision", attempt)
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(env.stdout, "%s is %s now.\n", attempt, o.Decision)
		return err
	})
}

// refundCommand gives money back.
type refundCommand struct {
	Transaction string `arg:"" help:"Its id, as in the address of the payment page." missing:"which transaction?"`
	Amount      string `placeholder:"12.50" help:"All that is left when not given."`
	Again       bool   `help:"Make it although an equal refund was done."`
}

// Help says how to go on.
func (refundCommand) Help() string {
	return "A refund that was cut off is resumed by the same command."
}

// Run refunds.
func (o refundCommand) Run(ctx context.Context, env environment) error {
	order := payment.RefundOrder{TransactionID: o.Transaction, By: operator(), Again: o.Again}
	if o.Amount != "" {
		minor, err := money.Parse(o.Amount)
		if err != nil || minor == 0 {
			return env.wrong("--amount is an amount above zero, such as 12.50")
		}
		order.Amount = minor
	}
	return withPayments(ctx, env, func(p *payment.Payments) error {
		r, err := p.Refund(ctx, order)
		if err != nil {
			return wordRefund(err)
		}
		text := map[string]string{
			"done":     "Refunded %s %s of %s.\n",
			"declined": "The gateway declined the refund of %s %s of %s.\n",
			"open":     "The refund of %s %s of %s is not decided yet; the program goes on asking.\n",
		}[r.State]
		fmt.Fprintf(env.stdout, text, money.Wire(r.AmountMinor), r.Currency, r.TransactionID)
		if r.State == "declined" {
			return errors.New("nothing was refunded")
		}
		return nil
	})
}

func wordRefund(err error) error {
	for known, text := range map[error]string{
		payment.ErrMissing:     "no such transaction",
		payment.ErrNotPaid:     "the transaction is not paid",
		payment.ErrTooMuch:     "that is more than is left of the payment",
		payment.ErrEqualRefund: "an equal refund was done already; --again makes another one",
		payment.ErrOtherRefund: "another refund of this transaction came first or is not decided yet",
		payment.ErrRestored:    "after a restore, forecourt reconcile --import comes first",
	} {
		if errors.Is(err, known) {
			return errors.New(text)
		}
	}
	return err
}

// reconcileCommand compares the database with the gateway's ledger.
type reconcileCommand struct {
	From   string `placeholder:"DAY" help:"Start of the window, a day or a time; default: 24 hours ago."`
	To     string `placeholder:"DAY" help:"End of the window, not included; default: now."`
	Import bool   `help:"After a restore: make known what the gateway moved since the backup, and take payments again."`
}

// Help says what the exit code means.
func (reconcileCommand) Help() string {
	return "Lists what only one side knows. The exit code is 1 if there is any."
}

// Run compares them.
func (o reconcileCommand) Run(ctx context.Context, env environment) error {
	if o.Import {
		if o.From+o.To != "" {
			return env.wrong("--import takes the time from the backup")
		}
		return withPayments(ctx, env, env.importLedger(ctx))
	}
	start, end := time.Now().Add(-24*time.Hour), time.Now()
	for text, moment := range map[*string]*time.Time{&o.From: &start, &o.To: &end} {
		if *text == "" {
			continue
		}
		var err error
		if *moment, err = parseMoment(*text); err != nil {
			return env.wrong(err.Error())
		}
	}
	return withPayments(ctx, env, func(p *payment.Payments) error {
		c, err := p.Reconcile(ctx, start, end)
		if err != nil {
			return err
		}
		for _, difference := range c.Differences {
			fmt.Fprintln(env.stdout, difference)
		}
		fmt.Fprintf(env.stdout, "%d captures, %d refunds, %s in all, %d differences\n", c.Captures, c.Refunds, money.Format(c.Total), len(c.Differences))
		if len(c.Differences) > 0 {
			return errors.New("the books differ")
		}
		return nil
	})
}

// importLedger is reconcile --import.
func (env environment) importLedger(ctx context.Context) func(*payment.Payments) error {
	return func(p *payment.Payments) error {
		done, err := p.ImportLedger(ctx, operator())
		if errors.Is(err, payment.ErrOpen) {
			return errors.New("there is nothing to import: payments are not closed")
		}
		if err != nil {
			return err
		}
		for _, person := range done.People {
			fmt.Fprintln(env.stdout, person)
		}
		fmt.Fprintf(env.stdout, "%d captures and %d refunds imported, %d for a person\n", done.Captures, done.Refunds, len(done.People))
		if done.Waiting > 0 {
			return fmt.Errorf("%d movements wait for something still open; payments stay closed: run it again in a minute, beside forecourt serve", done.Waiting)
		}
		_, err = fmt.Fprintln(env.stdout, "Payments are taken again.")
		return err
	}
}

func parseMoment(s string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is neither a day like 2025-01-31 nor a time like 2025-01-31T09:30:00Z", s)
}
