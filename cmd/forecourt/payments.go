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
		return fmt.Errorf("the database refused this (SQLSTATE %s) and nothing was changed: please tell whoever maintains the program", refused.Code)
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

// paymentsCommand lists and decides the payments and refunds that a person has to decide.
type paymentsCommand struct {
	List   listPayments  `cmd:"" default:"withargs" help:"List the payments and refunds that wait for a person."`
	Decide decidePayment `cmd:"" help:"End a payment or a refund that waits for a decision."`
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

// decidePayment ends a payment or a refund that waits for a decision.
type decidePayment struct {
	ID        string `arg:"" help:"The attempt or refund, a UUID." missing:"the attempt or refund is a UUID, as forecourt payments lists it"`
	Decision  string `arg:"" enum:"approved,given_back,not_charged,done,declined" help:"approved (what was captured is final), given_back or not_charged; of a refund done or declined." missing:"the decision is approved, given_back or not_charged, of a refund done or declined"`
	Reason    string `required:"" placeholder:"TEXT" help:"Why, for the audit log."`
	Against   string `name:"against-gateway" placeholder:"NAME" help:"Name of a second person who vouches for a decision that the gateway does not confirm."`
	Seen      string `name:"gateway-says" placeholder:"TEXT" help:"With --against-gateway: what the gateway says, word for word as this command prints it. If it says something else by then, nothing is decided."`
	CaptureID string `name:"transactionid" placeholder:"ID" help:"With approved and given_back: the gateway's transaction id, if the gateway named none or another payment's. Without it the payment cannot be refunded."`
}

// Run decides it.
func (o decidePayment) Run(ctx context.Context, env environment) error {
	id, err := uuid.Parse(o.ID)
	switch {
	case err != nil:
		return env.wrong("the attempt or refund is a UUID, as forecourt payments lists it")
	case strings.TrimSpace(o.Reason) == "":
		return env.wrong("--reason is required")
	case (o.Against == "") != (o.Seen == ""):
		return env.wrong("--against-gateway and --gateway-says go together: run the command without them first to see what the gateway says")
	}
	d := payment.Decision{
		Of: id, End: payment.End(o.Decision), By: operator(), Reason: o.Reason, Against: strings.TrimSpace(o.Against),
		Seen: strings.TrimSpace(o.Seen), TransactionID: strings.TrimSpace(o.CaptureID),
	}
	return withPayments(ctx, env, func(p *payment.Payments) error {
		var err error
		switch d.End {
		case payment.EndDone, payment.EndDeclined:
			err = p.DecideRefund(ctx, d)
		default:
			err = env.decide(ctx, p, d)
		}
		if err != nil {
			return wordDecision(err, id)
		}
		_, err = fmt.Fprintf(env.stdout, "%s is %s now.\n", id, o.Decision)
		return err
	})
}

// decide shows what the gateway says and decides a payment.
func (env environment) decide(ctx context.Context, p *payment.Payments, d payment.Decision) error {
	says, err := p.Ask(ctx, d.Of)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(env.stdout, "The gateway says: %s.\n", says.Says()); err != nil {
		return err
	}
	if err := p.Decide(ctx, d); err != nil {
		return err
	}
	if d.End != payment.EndApproved {
		return nil
	}
	known, err := p.CaptureKnown(ctx, d.Of)
	if err == nil && !known {
		_, err = fmt.Fprintln(env.stdout, "The gateway's transaction id is not known, so this payment cannot be refunded until forecourt refund --transactionid names it.")
	}
	return err
}

func wordDecision(err error, id uuid.UUID) error {
	against := (*payment.AgainstError)(nil)
	switch {
	case errors.Is(err, payment.ErrNewAnswer) && errors.As(err, &against):
		return fmt.Errorf("the gateway says something else (%s), and nothing was decided: look again", against.Says)
	case errors.As(err, &against):
		return fmt.Errorf("the gateway does not confirm it (%s); if a second person has seen this and vouches for it, add --against-gateway NAME and --gateway-says with the text in brackets", against.Says)
	case errors.Is(err, payment.ErrNotManual):
		return fmt.Errorf("attempt %s does not wait for a decision", id)
	case errors.Is(err, payment.ErrOtherCurrency):
		return errors.New("the gateway captured another currency, which cannot be approved: decide given_back, once the gateway says how much it captured")
	case errors.Is(err, payment.ErrOtherCapture):
		return errors.New("that transaction id belongs to another payment")
	case errors.Is(err, payment.ErrCaptured):
		return errors.New("the gateway says that it has captured the money: decide approved or given_back. If you refunded it at the gateway itself, decide not_charged once the gateway's ledger shows the refund")
	case errors.Is(err, payment.ErrElsewhere):
		return errors.New("it was sent to a gateway that is not set up, so it cannot be refunded: set GATEWAY_PREVIOUS_URL. Nothing has changed")
	case errors.Is(err, payment.ErrRestored):
		return errors.New("after a restore, forecourt reconcile --import comes first")
	case errors.Is(err, payment.ErrDisputed):
		return errors.New("the payment is disputed: the payer's bank holds its money or has taken it, so a refund would return it twice")
	case errors.Is(err, payment.ErrInQuestion):
		return errors.New("the gateway's ledger and our books differ about this payment: close that entry at /staff/unmatched first")
	case errors.Is(err, payment.ErrGivingBack):
		return errors.New("the refund is under way at the gateway; forecourt serve completes it, see forecourt payments --refunds")
	case errors.Is(err, payment.ErrCaptureID):
		return errors.New("the gateway names another transaction id for this payment, or that is not a valid one")
	case errors.Is(err, payment.ErrNoCaptureID):
		return errors.New("the gateway named no transaction id, without which nothing can be refunded: find the id at the gateway and give it with --transactionid")
	case errors.Is(err, payment.ErrGiveBackDeclined):
		return errors.New("the gateway declined to refund it: the payment still waits for a decision")
	case errors.Is(err, payment.ErrOtherRefund):
		return errors.New("it is being refunded already: see forecourt payments --refunds")
	case errors.Is(err, payment.ErrRefundDecided):
		return fmt.Errorf("refund %s does not wait for a decision", id)
	}
	return err
}
