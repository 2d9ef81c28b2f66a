package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/url"
	"os/user"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

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
		return errors.Join(wordDatabase(work(payments)), events.Flush(ctx))
	}()
	return errors.Join(err, d.close(ctx))
}

// wordDatabase keeps what a database says of its own insides from operators.
func wordDatabase(err error) error {
	var refused *pgconn.PgError
	var unreached *pgconn.ConnectError
	switch {
	case errors.As(err, &refused):
		return fmt.Errorf("the database refused this (SQLSTATE %s): nothing was changed; please tell whoever maintains the program", refused.Code)
	case errors.As(err, &unreached):
		return errors.New("the database does not answer: try again later")
	}
	return err
}

// operator names who runs a command, for the audit.
func operator() string {
	if u, err := user.Current(); err == nil {
		return "operator " + u.Username
	}
	return "operator"
}

// listPayments lists the payments that wait for a person, or decides one of them.
func listPayments(ctx context.Context, env environment, args []string) error {
	if len(args) > 0 && args[0] == "decide" {
		return decidePayment(ctx, env, args[1:])
	}
	flags := flag.NewFlagSet("payments", flag.ContinueOnError)
	_ = flags.Bool("manual", true, "those that a person has to decide")
	asJSON := flags.Bool("json", false, "as JSON")
	refunds := flags.Bool("refunds", false, "refunds alone, those that still have time among them")
	about := "Lists payments and refunds whose outcome a person has to decide.\n" +
		"forecourt payments decide ATTEMPT approved|not_charged --reason TEXT ends a payment,\nforecourt payments decide REFUND done|declined --reason TEXT a refund."
	if err := env.parse(flags, args, about); err != nil {
		return err
	}
	return withPayments(ctx, env, func(p *payment.Payments) error {
		if *refunds {
			return env.listRefunds(ctx, p, *asJSON, true)
		}
		waiting, err := p.Manual(ctx)
		if err != nil {
			return err
		}
		if *asJSON {
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
				a.Currency, a.CreatedAt.UTC().Format(time.RFC3339), a.ErrorMsg)
		}
		return table.Flush()
	})
}

func decidePayment(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("payments decide", flag.ContinueOnError)
	reason := flags.String("reason", "", "why, for the audit (required)")
	const about = "Ends a payment or a refund that waits for a decision: forecourt payments decide ATTEMPT approved|not_charged --reason TEXT\nor forecourt payments decide REFUND done|declined --reason TEXT"
	words, rest := leading(args, 2)
	if err := env.parse(flags, rest, about); err != nil {
		return err
	}
	id, err := uuid.Parse(at(words, 0))
	decision := at(words, 1)
	switch {
	case err != nil:
		return env.wrong("payments decide", "the attempt or refund is a UUID, as forecourt payments lists it")
	case !slices.Contains([]string{"approved", "not_charged", "done", "declined"}, decision):
		return env.wrong("payments decide", "the decision is approved or not_charged, of a refund done or declined")
	case strings.TrimSpace(*reason) == "":
		return env.wrong("payments decide", "--reason is required")
	}
	return withPayments(ctx, env, func(p *payment.Payments) error {
		var err error
		if decision == "done" || decision == "declined" {
			err = p.DecideRefund(ctx, id, decision == "done", operator(), *reason)
		} else {
			err = p.Decide(ctx, id, decision == "approved", operator(), *reason)
		}
		switch {
		case errors.Is(err, payment.ErrNotManual):
			return fmt.Errorf("attempt %s does not wait for a decision", id)
		case errors.Is(err, payment.ErrRefundDecided):
			return fmt.Errorf("refund %s does not wait for a decision", id)
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(env.stdout, "%s is %s now.\n", id, decision)
		return err
	})
}

// refund gives money back.
func refund(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("refund", flag.ContinueOnError)
	amount := flags.String("amount", "", "`AMOUNT` such as 12.50; all that is left when not given")
	again := flags.Bool("again", false, "make it although an equal refund was done")
	const about = "Gives a payment back, in whole or in part: forecourt refund TRX [--amount 12.50] [--again]\nA refund that was cut off is resumed by the same command."
	words, rest := leading(args, 1)
	if err := env.parse(flags, rest, about); err != nil {
		return err
	}
	order := payment.RefundOrder{TransactionID: at(words, 0), By: operator(), Again: *again}
	if order.TransactionID == "" {
		return env.wrong("refund", "which transaction?")
	}
	if *amount != "" {
		minor, err := money.Parse(*amount)
		if err != nil || minor == 0 {
			return env.wrong("refund", "--amount is an amount above zero, such as 12.50")
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
			"pending":  "The refund of %s %s of %s is not decided yet: the gateway has it; the program goes on asking.\n",
			"manual":   "The refund of %s %s of %s waits for a person: see forecourt payments.\n",
		}[r.State]
		fmt.Fprintf(env.stdout, text, money.Wire(r.AmountMinor), r.Currency, r.TransactionID)
		switch r.State {
		case "declined":
			return errors.New("nothing was refunded")
		case "manual":
			return errors.New("the gateway's answer could not be stored")
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
		payment.ErrDisputed:    "the payment is disputed: the payer's bank holds its money or has taken it",
		payment.ErrOtherRefund: "another refund of this transaction came first or is not decided yet",
		payment.ErrRestored:    "after a restore, forecourt reconcile --import comes first",
	} {
		if errors.Is(err, known) {
			return errors.New(text)
		}
	}
	return err
}

// reconcile compares the database with the gateway's ledger.
func reconcile(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("reconcile", flag.ContinueOnError)
	from := flags.String("from", "", "start of the window, a day or a time (default: 24 hours ago)")
	to := flags.String("to", "", "end of the window, not included (default: now)")
	bring := flags.Bool("import", false, "after a restore: make known what the gateway moved since the backup, and take payments again")
	accept := flags.Bool("accept-unknown", false, "with --import: take payments of what the backup had although the gateway does not tell what it has not decided yet")
	err := env.parse(flags, args, "Compares the database with the gateway's ledger and lists what only one side knows.\nThe exit code is 1 if there is any.")
	if err != nil {
		return err
	}
	if *bring {
		if *from+*to != "" {
			return env.wrong("reconcile", "--import takes the time from the backup")
		}
		return withPayments(ctx, env, env.importLedger(ctx, *accept))
	}
	if *accept {
		return env.wrong("reconcile", "--accept-unknown belongs to --import")
	}
	start, end := time.Now().Add(-24*time.Hour), time.Now()
	for text, moment := range map[*string]*time.Time{from: &start, to: &end} {
		if *text == "" {
			continue
		}
		if *moment, err = parseMoment(*text); err != nil {
			return env.wrong("reconcile", err.Error())
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
		for _, b := range c.Books() {
			fmt.Fprintln(env.stdout, bookLine(b, c.Totals[b]))
		}
		fmt.Fprintf(env.stdout, "%d captures, %d refunds, %d differences\n", c.Captures, c.Refunds, len(c.Differences))
		if len(c.Differences) > 0 {
			return errors.New("the books differ")
		}
		return nil
	})
}

// bookLine words what moved within a book.
func bookLine(b payment.Book, t payment.Total) string {
	mode := "live"
	if b.TestMode {
		mode = "test"
	}
	return fmt.Sprintf("%s %s %s: %s captured, %s refunded, %s in all", or(b.Merchant, "unknown"), b.Currency, mode,
		money.Format(t.Captured), money.Format(t.Refunded), money.Format(t.Captured-t.Refunded))
}

// importLedger is reconcile --import.
func (env environment) importLedger(ctx context.Context, acceptUnknown bool) func(*payment.Payments) error {
	return func(p *payment.Payments) error {
		done, err := p.ImportLedger(ctx, operator(), acceptUnknown)
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
			return fmt.Errorf("%d payments or refunds are still open; payments stay closed: run it again in a minute, beside forecourt serve", done.Waiting)
		}
		if done.Held {
			return errors.New("payments are taken again, but not of what the backup had: this gateway does not tell what it has not decided yet and may still charge for it; " +
				"once you know that it will not, open it with forecourt reconcile --import --accept-unknown")
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

// leading takes at most n words off the front of args, before any flag.
func leading(args []string, n int) (words, rest []string) {
	for i, arg := range args {
		if i == n || strings.HasPrefix(arg, "-") {
			return args[:i], args[i:]
		}
	}
	return args, nil
}

func at(words []string, i int) string {
	if i < len(words) {
		return words[i]
	}
	return ""
}
