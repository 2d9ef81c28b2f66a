package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os/user"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"

	"forecourt/internal/app"
	"forecourt/internal/money"
	"forecourt/internal/payment"
)

// withPayments hands the rules over together with a way to the gateway, for the work of a command about payments.
func withPayments(ctx context.Context, env environment, work func(*payment.Payments) error) error {
	return withDatabase(ctx, env, func(c config, d *database) error {
		if err := d.makeData(); err != nil {
			return err
		}
		link, err := linkGateway(ctx, c, d.folder, &url.URL{Scheme: "http", Host: "127.0.0.1"}, d.log)
		if err != nil {
			return err
		}
		defer link.close()
		rules, err := app.NewRules(c.commandSite(d, link))
		if err != nil {
			return err
		}
		return errors.Join(work(rules.Payments), rules.Live.Flush(ctx))
	})
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
