package settlement_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
)

// owes compares what the business is owed with what a test wants.
func owes(t *testing.T, app *apptest.App, want, when string) {
	t.Helper()
	check.Equal(t, text(t, app, `SELECT coalesce(string_agg(concat_ws(' ', kind, amount_minor, currency, CASE WHEN late THEN 'late' END), ', ' ORDER BY moved_at, id), '')
		FROM owed`), want, "%s: owed", when)
}

func TestOwedIsWhatNoPayoutHolds(t *testing.T) {
	t.Parallel()
	app, gateway := site(t)
	var references []string
	for _, age := range []string{"40 days", "6 days", "2 days", "0 days"} {
		_, reference := pay(t, app, approves)
		ages(t, app, reference, age)
		references = append(references, reference)
	}
	const young = "capture 1100 AUD, capture 1100 AUD"
	owes(t, app, "capture 1100 AUD, "+young, "while the gateway has listed no payouts, of thirty days")
	read(t, app)
	owes(t, app, "capture 1100 AUD late, "+young, "after five days without a payout")
	gateway.pays("p1", "22.00", references[1], references[3])
	read(t, app)
	owes(t, app, "capture 1100 AUD", "after two are paid out")

	dbtest.Exec(t, app.Pool, `INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, state, settled_at, refundid)
		SELECT gen_random_uuid(), transaction_id, shop_code, 100, currency, test_mode, 'ann', now(), 'done', now(), 'r1' FROM attempt WHERE id = $1`, references[2])
	owes(t, app, "capture 1100 AUD, refund -100 AUD", "after a refund")

	// A capture that only the ledger has was made before payouts were last read.
	at := time.Now().AddDate(0, 0, -7)
	rows, err := db.New(app.Pool).CaptureBook(t.Context(), db.CaptureBookParams{
		ID: uuid.New(), TransactionID: app.Order(t), AmountMinor: 1100, Currency: "AUD", Transactionid: "T-0", MovedAt: &at, Gateway: "x",
		Merchant: "panezski", TestMode: true,
	})
	if err != nil || rows == 0 {
		t.Fatal(rows, err)
	}
	owes(t, app, "capture 1100 AUD late, capture 1100 AUD, refund -100 AUD", "after an import")
}

func TestADisputeThatIsLostInPartTakesThatPart(t *testing.T) {
	t.Parallel()
	app, gateway := site(t)
	trx, reference := pay(t, app, approves)
	now := time.Now()
	gateway.disputed(reference, "opened", `"11.00"`, now.Add(time.Minute))
	read(t, app)
	gateway.disputed(reference, "lost", `"4.00"`, now.Add(2*time.Minute))
	read(t, app)
	check.Equal(t, text(t, app, "SELECT state || ' ' || amount_minor FROM dispute"), "lost 400", "the dispute is")
	check.Equal(t, text(t, app, "SELECT concat_ws(' ', captured_minor, lost_minor, kept_minor) FROM position"), "1100 400 700",
		"captured, lost, kept")
	gateway.pays("p1", "7.00", reference, reference)
	findings(t, app)
	owes(t, app, "", "after the payout")
	_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, Amount: 701, By: "test"})
	check.ErrorIs(t, err, payment.ErrTooMuch, "more than the bank left is refunded")
	r, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, By: "test"})
	check.Must(t, err)
	check.Equal(t, r.AmountMinor, 700, "all that is left")
}

// What a bank took stays in the month in which it took it.
func TestADisputeThatIsLostAndThenWonMovesMoneyTwice(t *testing.T) {
	t.Parallel()
	app, gateway := site(t)
	_, reference := pay(t, app, approves)
	october := time.Date(2026, 10, 20, 12, 0, 0, 0, time.UTC)
	gateway.disputed(reference, "opened", `"11.00"`, october)
	gateway.disputed(reference, "lost", `"11.00"`, october)
	read(t, app)
	gateway.disputed(reference, "won", `"11.00"`, october.AddDate(0, 2, 0))
	read(t, app)
	check.Equal(t, text(t, app, `SELECT string_agg(concat_ws(' ', kind, amount_minor, to_char(moved_at AT TIME ZONE 'UTC', 'FMMonth')), ', ' ORDER BY moved_at)
		FROM movement WHERE kind <> 'capture'`), "taken -1100 October, returned 1100 December", "the bank")
	check.Equal(t, text(t, app, "SELECT concat_ws(' ', captured_minor, lost_minor, returned_minor, kept_minor) FROM position"),
		"1100 0 1100 1100",
		"captured, lost, returned, kept")
	read(t, app)
	late, err := app.Settlement.Findings(t.Context())
	check.Equal(t, fmt.Sprint(late, err), "[] <nil>", "findings about money that came back")
}

// Both sides of a capture in another currency that was given back count, or none: in owed, and in a payout that nets them.
func TestACaptureInAnotherCurrencyThatWasGivenBackCountsOnBothSides(t *testing.T) {
	t.Parallel()
	app, gateway := site(t)
	_, a := charge(t, app, approves)
	dbtest.Exec(t, app.Pool, "DELETE FROM movement")
	dbtest.Exec(t, app.Pool, "UPDATE attempt SET state = 'not_charged'")
	refund := text(t, app, `INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, state, settled_at, refundid, attempt_id)
		SELECT gen_random_uuid(), transaction_id, shop_code, 550, 'USD', test_mode, 'ann', now(), 'done', now(), 'r1', id FROM attempt RETURNING id::text`)
	check.Equal(t, text(t, app, "SELECT sum(amount_minor) || ' in ' || count(*) FROM owed WHERE currency = 'USD'"), "0 in 2", "owed")
	gateway.paysAs("p1", "0.00", "0.00", "0.00", "panezski", a.ID.String(), refund)
	gateway.payouts[0] = strings.Replace(gateway.payouts[0], `"aud"`, `"usd"`, 1)
	findings(t, app)
	owes(t, app, "", "after the payout")
}
