package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os/user"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"forecourt/app"
	"forecourt/db"
	"forecourt/internal/money"
	"forecourt/internal/payment"
	"forecourt/internal/settlement"
)

// withPayments opens what a command about payments needs, and closes it afterwards.
func withPayments(ctx context.Context, env environment, work func(*payment.Payments) error) error {
	return withMoney(ctx, env, func(p *payment.Payments, _ *settlement.Settlement) error { return work(p) })
}

// withMoney is withPayments for a command that also needs payouts.
func withMoney(ctx context.Context, env environment, work func(*payment.Payments, *settlement.Settlement) error) error {
	return withGateway(ctx, env, func(rules *app.Rules) error {
		return errors.Join(wordDatabase(work(rules.Payments, rules.Settlement)), rules.Live.Flush(ctx))
	})
}

// withGateway is withRules for a command that calls the gateway.
func withGateway(ctx context.Context, env environment, work func(*app.Rules) error) error {
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
		return work(rules)
	})
}

// wordDatabase replaces a database error, which may quote rows, with one for operators.
func wordDatabase(err error) error {
	var refused *pgconn.PgError
	var unreached *pgconn.ConnectError
	switch {
	case errors.As(err, &refused):
		return fmt.Errorf(
			"the database refused this (SQLSTATE %s) and nothing was changed: please tell whoever maintains the program", refused.Code,
		)
	case errors.As(err, &unreached):
		return errors.New("the database does not answer: try again later")
	}
	return err
}

// operator names who runs a command, for the audit log.
func operator() string {
	if u, err := user.Current(); err == nil {
		return "operator " + u.Username
	}
	return "operator"
}

// paymentsCommand lists the payments and refunds that a person has to decide, on staff's pages.
type paymentsCommand struct {
	List listPayments `cmd:"" default:"withargs" help:"List the payments and refunds that wait for a person."`
}

// listPayments lists the payments that wait for a person.
type listPayments struct {
	Manual  bool `default:"true" hidden:"" help:"Those that a person has to decide; the default."`
	Refunds bool `help:"Only refunds, including those that may still settle by themselves."`
	JSON    bool `name:"json" help:"As JSON."`
}

// Run prints them.
func (o listPayments) Run(ctx context.Context, env environment) error {
	return withPayments(ctx, env, func(p *payment.Payments) error {
		if o.Refunds {
			return env.listRefunds(ctx, p, o.JSON, true)
		}
		waiting, err := p.Undecided(ctx)
		if err != nil {
			return err
		}
		if o.JSON {
			if waiting == nil {
				waiting = []db.AttemptListUndecidedRow{} // [], not null
			}
			return json.NewEncoder(env.stdout).Encode(waiting)
		}
		if err := env.listRefunds(ctx, p, false, false); err != nil {
			return err
		}
		if len(waiting) == 0 {
			_, err := fmt.Fprintln(env.stdout, "No payment waits for a decision.")
			return err
		}
		table := tabwriter.NewWriter(env.stdout, 0, 4, 2, ' ', 0)
		fmt.Fprintln(table, "ATTEMPT\tTRANSACTION\tCLIENT\tAMOUNT\tSINCE\tWHY")
		for _, a := range waiting {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s %s\t%s\t%s\n", a.ID, a.TransactionID, a.ClientCode, money.Wire(a.AmountMinor),
				a.Currency, a.CreatedAt.UTC().Format(time.RFC3339), p.Why(a.Gateway, a.ErrorMsg, a.CreatedAt))
		}
		return table.Flush()
	})
}

// listRefunds prints the refunds that a person may decide or, with all, every refund without an outcome. If there is none, it prints a
// message only with all.
func (env environment) listRefunds(ctx context.Context, p *payment.Payments, asJSON, all bool) error {
	undecided, err := p.UndecidedRefunds(ctx)
	if err != nil {
		return err
	}
	listed := []db.RefundListUndecidedRow{}
	for _, r := range undecided {
		if r.Late || all {
			listed = append(listed, r)
		}
	}
	if asJSON {
		return json.NewEncoder(env.stdout).Encode(listed)
	}
	if len(listed) == 0 {
		if all {
			_, err = fmt.Fprintln(env.stdout, "Every refund has an outcome.")
		}
		return err
	}
	table := tabwriter.NewWriter(env.stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "REFUND\tTRANSACTION\tCLIENT\tAMOUNT\tSTATE\tSINCE\tWHY")
	for _, r := range listed {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s %s\t%s\t%s\t%s\n", r.ID, r.TransactionID, r.ClientCode, money.Wire(r.AmountMinor),
			r.Currency, r.State, r.CreatedAt.UTC().Format(time.RFC3339), p.Why(r.Gateway, r.ErrorMsg, r.CreatedAt))
	}
	return table.Flush()
}
