package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os/user"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"

	"forecourt/app"
	"forecourt/db"
	"forecourt/internal/kit/money"
)

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
		return errors.Join(wordDatabase(work(rules)), rules.Live.Flush(ctx))
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

type listPayments struct {
	Manual  bool `default:"true" hidden:"" help:"Those that a person has to decide; the default."`
	Refunds bool `help:"Only refunds, including those that may still settle by themselves."`
	asJSON
}

func (o listPayments) Run(ctx context.Context, env environment) error {
	return withGateway(ctx, env, func(rules *app.Rules) error {
		p := rules.Payments
		refunds, err := p.UndecidedRefunds(ctx)
		if err != nil {
			return err
		}
		if !o.Refunds {
			refunds = slices.DeleteFunc(refunds, func(r db.RefundListUndecidedRow) bool { return !r.Late })
		}
		if o.Refunds || len(refunds) > 0 && !o.JSON {
			const head = "REFUND\tTRANSACTION\tCLIENT\tAMOUNT\tSTATE\tSINCE\tWHY"
			err := printList(env, o.asJSON, refunds, head, func(r db.RefundListUndecidedRow) []string {
				return []string{
					r.ID.String(), r.TransactionID, r.ShopCode, money.Wire(r.AmountMinor) + " " + r.Currency, string(r.State), inUTC(r.CreatedAt),
					p.Why(r.Gateway, r.ErrorMsg, r.CreatedAt),
				}
			})
			if err != nil || o.Refunds {
				return err
			}
		}
		cases, more, err := rules.Settlement.Cases(ctx, 1)
		if err != nil {
			return err
		}
		if len(cases) > 0 && !o.JSON {
			err := printList(env, o.asJSON, cases, "CASE\tBUSINESS\tAMOUNT\tSINCE\tWHAT DIFFERS", func(c db.CaseListRow) []string {
				return []string{c.Subject, c.Shop, money.Wire(c.AmountMinor) + " " + c.Currency, inUTC(c.Since), c.Says}
			})
			if err != nil {
				return err
			}
			if more {
				fmt.Fprintln(env.stdout, "… and more: see /staff/unmatched")
			}
		}
		waiting, err := p.Undecided(ctx)
		if err != nil {
			return err
		}
		return printList(env, o.asJSON, waiting, "ATTEMPT\tTRANSACTION\tCLIENT\tAMOUNT\tSINCE\tWHY", func(a db.AttemptListUndecidedRow) []string {
			return []string{
				a.ID.String(), a.TransactionID, a.ShopCode, money.Wire(a.AmountMinor) + " " + a.Currency, inUTC(a.CreatedAt),
				p.Why(a.Gateway, a.ErrorMsg, a.CreatedAt),
			}
		})
	})
}
