package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// payOut makes every gateway pay out, and the program read the payouts.
func (w *world) payOut(ctx context.Context) (said string, err error) {
	for _, g := range w.gateways {
		if _, err := g.acquirer(ctx, "/sandbox/payout", nil); err != nil {
			return "", err
		}
	}
	return w.reconcile(ctx)
}

// settle makes the acquirers decide the disputes and pay out, and the program read both. It judges whether the payouts match what was
// captured, given back and lost, to the cent for each business, currency and mode, by our books and by the gateways'.
func (w *world) settle(ctx context.Context) ([]promise, error) {
	conn, err := w.connect(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(ctx) }()
	said, err := w.payOut(ctx) // of the charges, before the last disputes are decided
	if err != nil {
		return nil, err
	}
	var open []struct{ ID string }
	if err := readRows(ctx, conn, &open, "SELECT attempt_id::text FROM dispute WHERE state = 'opened' ORDER BY attempt_id"); err != nil {
		return nil, err
	}
	for i, d := range open {
		if err := w.decideDispute(ctx, d.ID, []string{"lost", "won"}[i%2]); err != nil {
			return nil, err
		}
	}
	more, err := w.payOut(ctx)
	if err != nil {
		return nil, err
	}
	return w.judgePayouts(ctx, conn, said+more)
}

// decideDispute ends the dispute about a charge at whichever gateway has it.
func (w *world) decideDispute(ctx context.Context, reference, state string) error {
	for _, g := range w.gateways {
		found, err := g.acquirer(ctx, "/sandbox/dispute", map[string]string{"reference": reference, "state": state})
		if err != nil || found {
			return err
		}
	}
	return errors.New("no gateway knows the dispute about " + reference)
}

func (w *world) judgePayouts(ctx context.Context, conn *pgx.Conn, said string) ([]promise, error) {
	var disputes, undecided int
	if err := conn.QueryRow(ctx, "SELECT count(*), count(*) FILTER (WHERE state = 'opened') FROM dispute").Scan(&disputes, &undecided); err != nil {
		return nil, err
	}
	var rows []struct {
		Side, Merchant, Currency string
		Test                     bool
		Minor                    int64
	}
	err := readRows(ctx, conn, &rows, `SELECT 'moved', client_code, currency, test_mode, coalesce(captured_minor, amount_minor) FROM attempt WHERE state = 'approved'
		UNION ALL SELECT 'moved', client_code, currency, test_mode, -amount_minor FROM refund WHERE state = 'done'
		UNION ALL SELECT 'moved', client_code, currency, test_mode, -amount_minor FROM dispute WHERE state = 'lost'
		UNION ALL SELECT 'paid', client_code, currency, test_mode, gross_minor FROM payout
		UNION ALL SELECT 'fees', client_code, currency, test_mode, fees_minor FROM payout
		UNION ALL SELECT 'net', client_code, currency, test_mode, net_minor FROM payout`)
	if err != nil {
		return nil, err
	}
	ours, theirs := map[string]totals{}, map[string]totals{}
	for _, side := range []string{"moved", "paid", "fees", "net", "due"} {
		ours[side], theirs[side] = totals{}, totals{}
	}
	for _, r := range rows {
		ours[r.Side][book{r.Merchant, r.Currency, r.Test}] += r.Minor
	}
	heard := 0
	for _, g := range w.gateways {
		entries, err := g.ledger(ctx, "capture,refund,dispute,payout")
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			heard += e.addTo(theirs)
		}
	}
	moved, all := differing(ours["moved"], theirs["moved"])
	paid, _ := differing(ours["moved"], ours["paid"])
	for _, side := range []string{"paid", "fees", "net"} {
		apart, _ := differing(ours[side], theirs[side])
		paid += apart
	}
	fees, _ := differing(ours["fees"], theirs["due"])
	return []promise{
		{"disputes", undecided + count(disputes != heard), fmt.Sprintf("disputes (%d, %d at the gateways) that were not heard of to their end", disputes, heard)},
		{"payouts", moved + paid + fees + strings.Count(said, "payout  "), fmt.Sprintf("books (%d, by business, currency and mode) whose payouts (%s, less fees of %s) are not what moved, or payouts that differ", all, ours["paid"], ours["fees"])},
	}, nil
}

// addTo adds an entry of a ledger to the sums by side, and counts a dispute that was opened.
func (e entry) addTo(sums map[string]totals) (opened int) {
	switch b := e.book(); {
	case e.Kind == "capture":
		sums["moved"][b] += cents(e.Amount)
		sums["due"][b] += (cents(e.Amount)*15 + 500) / 1000 // 1.5 %, half up
	case e.Kind == "refund", e.Kind == "dispute" && e.State == "lost":
		sums["moved"][b] -= cents(e.Amount)
	case e.Kind == "payout":
		sums["paid"][b] += cents(e.Gross)
		sums["fees"][b] += cents(e.Fees)
		sums["net"][b] += cents(e.Net)
	case e.Kind == "dispute" && e.State == "opened":
		return 1
	}
	return 0
}

// reconcile runs the program's command until it has read everything, and returns its output. The promises judge the differences that
// it finds.
func (w *world) reconcile(ctx context.Context) (string, error) {
	for ctx.Err() == nil {
		said, _ := w.command(ctx, "reconcile") // the exit code reports differences, which other promises are about
		if strings.Contains(said, " differences\n") {
			return said, nil
		}
		pause(ctx, reload) // an answer was rubbish
	}
	return "", ctx.Err()
}
