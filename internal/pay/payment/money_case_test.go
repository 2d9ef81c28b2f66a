package payment_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
	"forecourt/internal/people/account"
)

// differs reads the ledgers and returns what differs about a transaction, or "".
func differs(t *testing.T, app *apptest.App, trx string) string {
	t.Helper()
	check.Must(t, app.Settlement.ReadLately(t.Context()))
	return dbtest.Value[string](t, app.Pool,
		"SELECT coalesce((SELECT string_agg(d ->> 'says', '; ') FROM jsonb_array_elements(differences) d), '') FROM transaction WHERE id = $1", trx)
}

// ends decides the first difference of a case, after a decision that is not offered and one that has not seen it.
func ends(t *testing.T, app *apptest.App, subject string, end payment.End) {
	t.Helper()
	c, err := app.Payments.MoneyCase(t.Context(), subject)
	check.Must(t, err)
	d := payment.Decision{Proof: account.OperatorProof(), End: payment.EndDone, By: "Kim", Reason: "rang the gateway", Seen: c.Seen()}
	check.Error(t, app.Payments.DecideMoney(t.Context(), subject, d), "a decision that is not offered")
	d.End, d.Seen = end, "something else"
	check.Error(t, app.Payments.DecideMoney(t.Context(), subject, d), "a decision on something else")
	d.Seen = c.Seen()
	check.Must(t, app.Payments.DecideMoney(t.Context(), subject, d))
	check.Error(t, app.Payments.DecideMoney(t.Context(), subject, d), "the same decision again")
	audited := dbtest.Value[bool](t, app.Pool, `SELECT EXISTS (SELECT FROM audit
		WHERE subject = $1 AND action = 'money ' || $2 AND reason = 'rang the gateway' AND actor = 'Kim')`, subject, string(end))
	check.Equal(t, audited, true, "the decision is in the audit log")
}

// stands returns a transaction's position, in cents: captured, refunded, kept.
func stands(t *testing.T, app *apptest.App, trx string) string {
	t.Helper()
	return dbtest.Value[string](t, app.Pool,
		"SELECT concat_ws(' ', captured_minor, refunded_minor, kept_minor) FROM position WHERE transaction_id = $1", trx)
}

// control calls the sandbox, which has to take it.
func control(t *testing.T, app *apptest.App, path string, value any) {
	t.Helper()
	check.MustEqual(t, app.Acquirer(t, path, value).Status, http.StatusOK, "%s", path)
}

func TestARefundOfTheGatewaysConsoleHoldsItsPaymentUntilItIsBooked(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	trx := paid(t, app)
	at := time.Now().Add(-3 * time.Hour).UTC().Truncate(time.Second)
	control(t, app, "/sandbox/refund", map[string]any{
		"transactionid": stored(t, app, trx).Transaction.Transactionid, "amount": "5.00", "reference": "console-1", "at": at,
	})
	check.Equal(t, differs(t, app, trx), "refunded 5.00 AUD, which we did not send", "the difference")
	_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, Amount: 500, By: "test"})
	check.ErrorIs(t, err, payment.ErrInQuestion, "refunded once more")

	ends(t, app, trx, payment.EndBook)
	check.Equal(t, differs(t, app, trx), "", "after it was booked")
	check.Equal(t, stands(t, app, trx), "1100 500 600", "captured, refunded, kept")
	moved := dbtest.Value[time.Time](t, app.Pool, "SELECT moved_at FROM movement WHERE transaction_id = $1 AND kind = 'refund'", trx)
	check.Equal(t, moved.UTC(), at, "the refund has the gateway's time")
	_, err = app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, Amount: 601, By: "test"})
	check.ErrorIs(t, err, payment.ErrTooMuch, "more than is left")
	r, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, By: "test"})
	check.Must(t, err)
	check.Equal(t, r.AmountMinor, 600, "all that is left")
	check.Equal(t, differs(t, app, trx), "", "at the end")
	control(t, app, "/sandbox/payout", nil)
	check.Equal(t, differs(t, app, trx), "", "after the payout")
	found, err := app.Settlement.Findings(t.Context())
	check.Must(t, err)
	check.Empty(t, found, "the payout that names the console's refund")
	owed := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM owed")
	check.Equal(t, owed, 0, "movements in no payout")
}

func TestRefundsBeyondACaptureAreACaseOfTheirOwn(t *testing.T) {
	t.Parallel()
	g := &listing{capturing: newCapturing(sure, sure, returned)}
	app := apptest.New(t, apptest.Options{Gateway: g})
	trx := paid(t, app)
	_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, Amount: 1000, By: "test", CaptureID: "T-1"})
	check.Must(t, err)
	g.add("refund", "console-1", trx, "5.00", "AUD")
	check.Equal(t, differs(t, app, trx), "refunded 5.00 AUD, which we did not send", "the difference")
	ends(t, app, trx, payment.EndBook)
	check.Equal(t, differs(t, app, trx), "refunded 15.00 of 11.00 AUD", "once it is booked")
	check.Equal(t, stands(t, app, trx), "1100 1500 -400", "captured, refunded, kept")
	ends(t, app, trx, payment.EndAccept)
	check.Equal(t, differs(t, app, trx), "", "once that is accepted")
}

func TestAChargeOfADeclinedPaymentIsBookedOrGivenBack(t *testing.T) {
	t.Parallel()
	for _, end := range []payment.End{payment.EndBook, payment.EndGivenBack, payment.EndAccept} {
		t.Run(string(end), func(t *testing.T) {
			t.Parallel()
			g := &listing{capturing: newCapturing(refused, refused, returned)}
			app := apptest.New(t, apptest.Options{Gateway: g})
			trx := app.Order(t)
			a, err := app.Payments.PayCard(t.Context(), "panezski", trx, "k", typed(t, approvable))
			if err != nil || a.State != "declined" {
				t.Fatal(a.State, err)
			}
			g.add("capture", a.ID.String(), trx, "12.00", "AUD")
			check.Equal(t, differs(t, app, trx), "charged 12.00 AUD, and it is declined here", "the difference")
			_, err = app.Payments.PayCard(t.Context(), "panezski", trx, "again", typed(t, approvable))
			check.Error(t, err, "it can be paid again")
			ends(t, app, trx, end)
			switch end {
			case payment.EndBook:
				check.Equal(t, stands(t, app, trx), "1200 0 1200", "captured, refunded, kept")
				check.Equal(t, stored(t, app, trx).Transaction.Status, "success", "the order")
			case payment.EndGivenBack:
				check.Equal(t, (*g.refunds.Load())["amount"], "12.00", "the gateway refunds")
				check.Equal(t, stands(t, app, trx), "0 0 0", "captured, refunded, kept of the order")
				moved := dbtest.Value[string](t, app.Pool, "SELECT string_agg(kind || ' ' || amount_minor, ', ' ORDER BY kind) FROM movement")
				check.Equal(t, moved, "capture 1200, refund -1200", "the books")
			default:
				check.Equal(t, stands(t, app, trx), "0 0 0", "captured, refunded, kept")
			}
			if end != payment.EndBook { // the payer's bank may show the charge for days
				check.Equal(t, stored(t, app, trx).Transaction.Status, "expired", "the order")
				_, err = app.Payments.PayCard(t.Context(), "panezski", trx, "third", typed(t, approvable))
				check.ErrorIs(t, err, payment.ErrUnconfirmed, "it is paid again")
				app.Visit(t, "/pos/panezski/"+trx).Has("Your bank may have been charged").HasNot("No money was taken", "Try Again", "Nothing was charged")
			}
			check.Equal(t, differs(t, app, trx), "", "after the decision")
		})
	}
}

func TestASecondChargeCanOnlyBeGivenBack(t *testing.T) {
	t.Parallel()
	g := &listing{capturing: newCapturing(sure, sure, returned)}
	app := apptest.New(t, apptest.Options{Gateway: g})
	trx := paid(t, app)
	g.add("capture", "a second one", trx, "11.00", "AUD")
	g.entries[0]["transactionid"] = "T-second"
	check.Equal(t, differs(t, app, trx), "charged 11.00 AUD, which we did not send", "the difference")
	c, err := app.Payments.MoneyCase(t.Context(), trx)
	check.Must(t, err)
	check.List(t, c.Ends, []payment.End{payment.EndGivenBack, payment.EndAccept}, "what can be done")
	ends(t, app, trx, payment.EndGivenBack)
	check.Equal(t, (*g.refunds.Load())["transactionid"], "T-second", "the gateway refunds")
	check.Equal(t, stands(t, app, trx), "1100 0 1100", "captured, refunded, kept")
}

func TestACorrectedAmountIsThatOfTheLedger(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	trx := paid(t, app)
	r, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, Amount: 200, By: "test"})
	check.Must(t, err)
	attempt := dbtest.Value[string](t, app.Pool, "SELECT approved_attempt::text FROM transaction WHERE id = $1", trx)
	control(t, app, "/sandbox/entry", map[string]any{"kind": "capture", "reference": attempt, "amount": "9.00"})
	check.Equal(t, differs(t, app, trx), "capture of 9.00 AUD there, 11.00 AUD here", "the difference")
	ends(t, app, trx, payment.EndCorrect)
	check.Equal(t, stands(t, app, trx), "900 200 700", "captured, refunded, kept")
	control(t, app, "/sandbox/entry", map[string]any{"kind": "refund", "reference": r.ID.String(), "amount": "3.00"})
	check.Equal(t, differs(t, app, trx), "refund of 3.00 AUD there, 2.00 AUD here", "the difference")
	ends(t, app, trx, payment.EndCorrect)
	check.Equal(t, stands(t, app, trx), "900 300 600", "captured, refunded, kept")
	check.Equal(t, differs(t, app, trx), "", "at the end")
	control(t, app, "/sandbox/entry", map[string]any{"kind": "capture", "reference": attempt, "amount": "1.00"})
	check.Equal(t, differs(t, app, trx), "capture of 1.00 AUD there, 9.00 AUD here", "less than is refunded")
	c, err := app.Payments.MoneyCase(t.Context(), trx)
	check.Must(t, err)
	check.List(t, c.Ends, []payment.End{payment.EndAccept}, "what can be done")
}

// Second charges and refunds mostly have the same amount.
func TestADifferenceThatIsAcceptedHidesNoOther(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	trx := paid(t, app)
	const says = "refunded 2.00 AUD, which we did not send"
	for _, want := range []string{says, says + "; " + says} {
		control(t, app, "/sandbox/refund", map[string]any{
			"transactionid": stored(t, app, trx).Transaction.Transactionid, "amount": "2.00", "reference": "console",
		})
		check.Equal(t, differs(t, app, trx), want, "the difference")
	}
	ends(t, app, trx, payment.EndAccept)
	check.Equal(t, differs(t, app, trx), says, "after one was accepted")
	ends(t, app, trx, payment.EndBook)
	check.Equal(t, stands(t, app, trx), "1100 200 900", "captured, refunded, kept")
}

// A charge that the program never sent has no other name for its gateway than its own reference.
func TestAPayoutAndADisputeFindAChargeThatWasBooked(t *testing.T) {
	t.Parallel()
	g := &listing{capturing: newCapturing(sure, sure, returned)}
	app := apptest.New(t, apptest.Options{Gateway: g})
	trx := app.Order(t)
	g.add("capture", "foreign-1", trx, "11.00", "AUD")
	check.Equal(t, differs(t, app, trx), "charged 11.00 AUD, which we did not send", "the difference")
	ends(t, app, trx, payment.EndBook)
	g.add("dispute", "foreign-1", trx, "11.00", "AUD")
	g.entries[1]["state"] = "lost"
	check.Equal(t, differs(t, app, trx), "", "a dispute of it")
	lost := dbtest.Value[string](t, app.Pool, "SELECT d.state || ' ' || p.lost_minor FROM dispute d JOIN position p USING (transaction_id)")
	check.Equal(t, lost, "lost 1100", "the dispute")
	g.add("payout", "", "", "", "AUD")
	for name, value := range map[string]any{"id": "p1", "gross": "0.00", "fees": "0.00", "net": "0.00", "references": []string{"foreign-1", "foreign-1"}} {
		g.entries[2][name] = value
	}
	check.Equal(t, differs(t, app, trx), "", "a payout of it")
	check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM owed"), 0, "movements in no payout")
}

func TestACorrectionBelongsToThePayoutOfWhatItCorrects(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	trx := paid(t, app)
	attempt := dbtest.Value[string](t, app.Pool, "SELECT approved_attempt::text FROM transaction WHERE id = $1", trx)
	control(t, app, "/sandbox/entry", map[string]any{"kind": "capture", "reference": attempt, "amount": "9.00"})
	control(t, app, "/sandbox/payout", nil)
	check.Equal(t, differs(t, app, trx), "capture of 9.00 AUD there, 11.00 AUD here", "the difference")
	ends(t, app, trx, payment.EndCorrect)
	owed := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM owed")
	check.Equal(t, owed, 0, "movements in no payout")
}

func TestAnEntryThatIsWithdrawnDiffersNoLonger(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	trx := paid(t, app)
	control(t, app, "/sandbox/refund", map[string]any{
		"transactionid": stored(t, app, trx).Transaction.Transactionid, "amount": "5.00", "reference": "console-1",
	})
	check.Equal(t, differs(t, app, trx), "refunded 5.00 AUD, which we did not send", "the difference")
	control(t, app, "/sandbox/entry", map[string]any{"kind": "refund", "reference": "console-1", "withdrawn": true})
	check.Equal(t, differs(t, app, trx), "", "once it is withdrawn")
	_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, By: "test"})
	check.NoError(t, err, "refunded")
}

// Pages that count entries repeat some when the ledger grows between them.
func TestAnEntryThatTwoPagesListCountsOnce(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	var trxs []string
	for range 4 {
		trxs = append(trxs, paid(t, app))
	}
	control(t, app, "/sandbox/pages", map[string]any{"size": 2, "repeat": 1})
	for _, trx := range trxs {
		check.Equal(t, differs(t, app, trx), "", "the difference")
	}
	c, err := app.Settlement.Compare(t.Context(), time.Now().Add(-time.Hour), time.Now().Add(time.Hour))
	check.Must(t, err)
	if len(c.Cases) != 0 || len(c.Totals) != 1 || c.Totals[0].Captures != 4 || c.Totals[0].CapturedMinor != 4400 {
		t.Errorf("%+v", c)
	}
}

// Banks date a dispute by their own case, and list it days later.
func TestADisputeThatIsListedLateIsReadByTheDailyReading(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	trx := paid(t, app)
	attempt := dbtest.Value[string](t, app.Pool, "SELECT approved_attempt::text FROM transaction WHERE id = $1", trx)
	check.Must(t, app.Settlement.ReadLately(t.Context()))
	control(t, app, "/sandbox/dispute", map[string]any{
		"reference": attempt, "state": "opened", "amount": "12.00", "at": time.Now().Add(-72 * time.Hour).UTC(),
	})
	check.Must(t, app.Settlement.ReadDaily(t.Context()))
	_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, By: "test"})
	check.ErrorIs(t, err, payment.ErrDisputed, "refunded")
	check.Equal(t, dbtest.Value[string](t, app.Pool, "SELECT state || ' ' || amount_minor FROM dispute"), "opened 1200",
		"the dispute of more than was paid")
	check.Equal(t, differs(t, app, trx), "disputed 12.00 AUD of 11.00 AUD", "the difference")
}

// The dispute of a charge that counts here nowhere keeps it from being given back, and goes with it.
func TestADisputedChargeIsNotGivenBack(t *testing.T) {
	t.Parallel()
	g := &listing{capturing: newCapturing(sure, sure, `{"status":"declined"}`)}
	app := apptest.New(t, apptest.Options{Gateway: g})
	trx := paid(t, app)
	g.add("capture", "a second one", trx, "11.00", "AUD")
	g.entries[0]["transactionid"] = "T-second"
	g.add("dispute", "a second one", trx, "11.00", "AUD")
	g.entries[1]["state"] = "opened"
	check.Contains(t, differs(t, app, trx), "charged 11.00 AUD, which we did not send", "the differences")
	decide := func() error {
		c, err := app.Payments.MoneyCase(t.Context(), trx)
		check.Must(t, err)
		return app.Payments.DecideMoney(t.Context(), trx, payment.Decision{Proof: account.OperatorProof(), End: payment.EndGivenBack, By: "Kim", Reason: "rang the gateway", Seen: c.Seen()})
	}
	check.ErrorIs(t, decide(), payment.ErrDisputed, "it is given back")
	check.Equal(t, g.refunds.Load() == nil, true, "the gateway was not asked")

	g.entries[1]["state"] = "won"
	differs(t, app, trx)
	check.ErrorIs(t, decide(), payment.ErrGiveBackDeclined, "given back once the dispute is won")
	g.add("dispute", "a second one", trx, "11.00", "AUD")
	g.entries[2]["state"] = "lost"
	differs(t, app, trx)
	id := dbtest.Value[string](t, app.Pool, "SELECT id FROM transaction WHERE client_ref = $1", trx)
	attempt := dbtest.Value[string](t, app.Pool, "SELECT id::text FROM attempt WHERE transaction_id = $1", id)
	d := payment.Decision{Of: uuid.MustParse(attempt), By: "Kim", Reason: "rang the gateway", End: payment.EndNotCharged}
	check.ErrorIs(t, app.Payments.Decide(t.Context(), d), payment.ErrCaptured, "a charge that the ledger lists is said to be none")
	d.End = payment.EndApproved
	check.Must(t, app.Payments.Decide(t.Context(), d))
	check.Equal(t, stands(t, app, id), "1100 0 0", "captured, refunded, kept of what the bank took")
}

// Two differences in the same words are two, also where the ledger lacks both.
func TestEachRefundThatTheLedgerLacksIsAcceptedByItself(t *testing.T) {
	t.Parallel()
	g := &listing{capturing: newCapturing(sure, sure, returned)}
	app := apptest.New(t, apptest.Options{Gateway: g})
	trx := paid(t, app)
	attempt := dbtest.Value[string](t, app.Pool, "SELECT id::text FROM attempt")
	g.add("capture", attempt, trx, "11.00", "AUD")
	for range 2 {
		_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, Amount: 300, By: "test", Again: true, CaptureID: "T-5"})
		check.Must(t, err)
	}
	changeByHand(t, app, "UPDATE refund SET created_at = created_at - interval '30 hours', settled_at = settled_at - interval '30 hours'")
	check.Must(t, app.Settlement.Read(t.Context(), "", time.Now().AddDate(0, 0, -3), time.Now().AddDate(0, 0, 1)))
	for _, left := range []int{2, 1, 0} {
		check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT jsonb_array_length(differences) FROM transaction WHERE id = $1", trx), left, "differences")
		if left > 0 {
			ends(t, app, trx, payment.EndAccept)
		}
	}
}

// A refund of the console, or a dispute, is decided after the payment that it is about.
func TestAnUndecidedPaymentIsDecidedFirst(t *testing.T) {
	t.Parallel()
	g := &listing{capturing: newCapturing(`{"status":{"responsetype":"9"}}`, sure, returned)}
	app, trx, attempt := manual(t, g)
	g.add("refund", "console-1", trx, "5.00", "AUD")
	check.Contains(t, differs(t, app, trx), "refunded 5.00 AUD, which we did not send", "the differences") // perhaps with a later answer
	c, err := app.Payments.MoneyCase(t.Context(), trx)
	check.Must(t, err)
	check.Empty(t, c.Ends, "what can be done")
	check.Must(t, app.Payments.Decide(t.Context(), payment.Decision{
		Of: attempt, End: payment.EndApproved, By: "Kim", Reason: "rang the gateway", Seen: "nothing that can be understood, or it cannot be asked",
	}))
	ends(t, app, trx, payment.EndBook)
	check.Equal(t, stands(t, app, trx), "1100 500 600", "captured, refunded, kept")
}
