package books

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/printable"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/shop/shop"
)

// Find returns a payment of a shop with everything that happened to it. Errors: ErrMissing, also for another shop's.
func (t *Trade) Find(ctx context.Context, one shop.Shop, id string) (c Case, err error) {
	if !printable.Line(id, 64) {
		return c, ErrMissing
	}
	row, err := t.queries.DeskPaymentGet(ctx, id, one.Code)
	if errors.Is(err, pgx.ErrNoRows) {
		return c, ErrMissing
	}
	if err != nil {
		return c, err
	}
	p := row.Transaction
	c = Case{
		Payment: Payment{
			ID: p.ID, State: PaymentNew, Amount: p.Captured(), Refunded: row.RefundsDoneMinor, Currency: p.Currency, Guest: p.CustomerName,
			Table: p.TableName, Link: p.Kind == state.LinkKind, Reference: p.ClientRef,
			Description: p.Description, Test: p.TestMode, At: p.CreatedAt.In(one.Zone()),
		},
		Reserved: p.RefundedMinor, GatewayID: p.Transactionid, Receipt: row.ReceiptToken, Reachable: row.Reachable,
		Closed: row.Closed, InQuestion: row.InQuestion,
	}
	if p.ApprovedAttempt != nil {
		c.Captured = p.Captured()
	}
	s := story{c: &c, zone: one.Zone(), code: one.Code}
	s.made(row)
	if err := t.addLines(ctx, one, &c); err != nil {
		return c, err
	}
	attempts, err := t.queries.DeskAttemptList(ctx, id, one.Code)
	if err != nil {
		return c, err
	}
	refunds, err := t.queries.DeskRefundList(ctx, id, one.Code)
	if err != nil {
		return c, err
	}
	disputes, err := t.queries.DeskDisputeList(ctx, id, one.Code)
	if err != nil {
		return c, err
	}
	payouts, err := t.queries.DeskPayoutList(ctx, id, one.Code)
	if err != nil {
		return c, err
	}
	letters, err := t.queries.DeskLetterList(ctx, letterKeys(id, refunds))
	if err != nil {
		return c, err
	}
	events, err := t.queries.ClientEventOf(ctx, one.Code, id)
	if err != nil {
		return c, err
	}
	of := rows{attempts, refunds, disputes}
	s.attempts(attempts)
	s.refunds(refunds)
	s.happened(slices.Concat(of.untold(p, events), events), of)
	s.receipt(p.PaidAt)
	s.payouts(payouts)
	s.letters(letters, refunds)
	c.State = stateOf(c, attempts, disputes)
	// What is still open comes last, whenever it began.
	slices.SortStableFunc(c.Timeline, func(a, b Event) int {
		switch {
		case a.At.IsZero() != b.At.IsZero():
			return cmp.Compare(btoi(a.At.IsZero()), btoi(b.At.IsZero()))
		default:
			return a.At.Compare(b.At)
		}
	})
	return c, nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func stateOf(c Case, attempts []db.DeskAttemptListRow, disputes []db.Dispute) PaymentState {
	if c.InQuestion && c.Captured == 0 {
		return PaymentManual
	}
	var last state.Attempt
	if len(attempts) > 0 {
		last = attempts[len(attempts)-1].State
	}
	var disputed state.Dispute
	if len(disputes) > 0 {
		disputed = disputes[len(disputes)-1].State
	}
	return PaymentStateOf(last, disputed, c.Refunded, c.Refunded >= c.Captured)
}

func (t *Trade) addLines(ctx context.Context, one shop.Shop, c *Case) error {
	lines, err := t.queries.DeskLineList(ctx, c.ID, one.Code)
	for _, l := range lines {
		c.Lines = append(c.Lines, PaidLine{
			No: int(l.LineNo), Qty: int(l.Qty), Refunded: int(l.Refunded), Name: l.Name,
			Options: db.OptionNames(l.Options), Note: l.Note, Each: l.PriceMinor,
			Cancelled: l.Status == state.LineCancelled,
		})
	}
	return err
}

// letterKeys are the keys of the letters about a payment.
func letterKeys(id string, refunds []db.DeskRefundListRow) []string {
	keys := []string{receiptKey(id, receipt.Customer), receiptKey(id, receipt.Typed), receiptKey(id, receipt.Customer) + "/asked"}
	for _, r := range refunds {
		keys = append(keys, refundKey(r))
	}
	return keys
}

func receiptKey(id string, role receipt.Role) string { return "receipt/" + id + "/" + string(role) }

func refundKey(r db.DeskRefundListRow) string { return "refund/" + r.ID.String() }

// mailed returns which of three events a letter is.
func mailed(l db.DeskLetterListRow, sent, held, failed EventKind) (EventKind, time.Time, bool) {
	switch {
	case l.SentAt != nil:
		return sent, *l.SentAt, true
	case l.Held:
		return held, l.CreatedAt, true
	case l.Refused:
		return failed, l.CreatedAt, true
	}
	return "", time.Time{}, false // it is on its way
}
