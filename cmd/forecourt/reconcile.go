package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"forecourt/app"
	"forecourt/db"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/payment"
)

// errForgot means that payments stay closed, because the ledger is empty and so holds none of them.
var errForgot = errors.New("the built-in sandbox keeps its ledger in the data folder, which a backup does " +
	"not include, so it no longer knows what it charged. " +
	"Rehearse with forecourt sandbox and GATEWAY_URL, or open the payments anyway with --accept-unknown")

// reconcileCommand compares the database with the gateway's ledger.
type reconcileCommand struct {
	From          string `placeholder:"DAY" help:"Start of the window, a day or a time; default: 24 hours ago."`
	To            string `placeholder:"DAY" help:"End of the window, not included; default: now."`
	Import        bool   `help:"After a restore: bring in what the gateway moved since the backup, and take payments again."`
	AcceptUnknown bool   `help:"With --import: take payments for transactions of the backup even though a gateway may still charge for them."`
}

func (reconcileCommand) Help() string {
	return "Lists movements that only one side knows, those that no payout contains after SETTLEMENT_DAYS, and those that should not be in " +
		"a payout; it reads disputes and payouts for that. The exit code is 1 if it lists any."
}

func (o reconcileCommand) Run(ctx context.Context, env environment) error {
	if o.Import {
		if o.From+o.To != "" {
			return wrong("--import takes the time from the backup")
		}
		c, err := readConfig(env.getenv)
		switch {
		case err != nil:
			return err
		case c.GatewayURL == "" && c.DatabaseURL == "" && !o.AcceptUnknown:
			return errForgot
		}
		return withGateway(ctx, env, func(r *app.Rules) error { return env.importLedger(ctx, r.Payments, o.AcceptUnknown) })
	}
	if o.AcceptUnknown {
		return wrong("--accept-unknown belongs to --import")
	}
	start, end := time.Now().Add(-24*time.Hour), time.Now()
	for text, moment := range map[*string]*time.Time{&o.From: &start, &o.To: &end} {
		if *text == "" {
			continue
		}
		var err error
		if *moment, err = parseMoment(*text); err != nil {
			return wrong("%s", err)
		}
	}
	return withGateway(ctx, env, func(r *app.Rules) error {
		c, unread := r.Settlement.Compare(ctx, start, end)
		found, err := r.Settlement.Findings(ctx)
		if err != nil {
			return err
		}
		for _, one := range c.Cases {
			fmt.Fprintln(env.stdout, caseLine(one))
		}
		for _, finding := range found {
			fmt.Fprintln(env.stdout, finding)
		}
		var captures, refunds int64
		for _, b := range c.Totals {
			fmt.Fprintf(env.stdout, "%s %s %s: %s captured, %s refunded, %s in all\n", b.Merchant, b.Currency, modeOf(!b.TestMode),
				money.Format(b.CapturedMinor), money.Format(b.RefundedMinor), money.Format(b.CapturedMinor-b.RefundedMinor))
			captures, refunds = captures+b.Captures, refunds+b.Refunds
		}
		fmt.Fprintf(env.stdout, "%d captures, %d refunds, %d differences\n", captures, refunds, len(c.Cases))
		switch {
		case unread != nil:
			return unread
		case len(c.Cases) > 0:
			return errors.New("the books differ")
		case len(found) > 0:
			return errors.New("the payouts differ")
		}
		return nil
	})
}

// caseLine describes a case.
func caseLine(c db.CaseListRow) string {
	return fmt.Sprintf("%s  %s  %s %s  %s", c.Subject, c.Shop, money.Wire(c.AmountMinor), c.Currency, c.Says)
}

// importLedger runs reconcile --import.
func (env environment) importLedger(ctx context.Context, p *payment.Payments, acceptUnknown bool) error {
	done, err := p.ImportLedger(ctx, operator(), acceptUnknown)
	if errors.Is(err, payment.ErrOpen) {
		return errors.New("there is nothing to import: payments are not closed")
	}
	if err != nil {
		return err
	}
	for _, one := range done.People {
		fmt.Fprintln(env.stdout, caseLine(one))
	}
	for _, line := range slices.Concat(done.Undecided, done.Waiting) {
		fmt.Fprintln(env.stdout, line)
	}
	fmt.Fprintf(env.stdout, "%d captures and %d refunds imported, %d for a person\n", done.Captures, done.Refunds, len(done.People))
	if len(done.Waiting) > 0 {
		return fmt.Errorf(
			"%d payments or refunds are still open; payments stay closed: run it again in a minute, beside forecourt serve", len(done.Waiting),
		)
	}
	if done.Held {
		return errors.New("payments are taken again, but not for transactions of the backup: " + doubts(done) +
			"; once you know that none of them will be charged, open them with forecourt reconcile --import --accept-unknown")
	}
	_, err = fmt.Fprintln(env.stdout, "Payments are taken again.")
	return err
}

// doubts says why transactions of the backup may still be charged.
func doubts(done payment.Import) string {
	var all []string
	for _, id := range done.Absent {
		all = append(all, "its last payments went to "+id+", which is not configured (GATEWAY_PREVIOUS_URL)")
	}
	for _, id := range done.Silent {
		all = append(all, id+" does not list what it has not decided yet")
	}
	if n := len(done.Undecided); n > 0 {
		all = append(all, fmt.Sprintf("%d entries of the ledger are not decided at the gateway, or not readable; run it again in a minute", n))
	}
	return strings.Join(all, "; ")
}
