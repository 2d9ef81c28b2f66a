package desk_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/app/apptest"
	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/people/account"
	"forecourt/internal/shop/books"
	"forecourt/internal/shop/shop"
)

// captured pays a transaction of the bakery with another amount than it asks for, which a person accepted.
func captured(t *testing.T, app *apptest.App, id string, minor int64) {
	t.Helper()
	attempt, queries := uuid.New(), db.New(app.Pool)
	_, err := queries.AttemptClaim(t.Context(), db.AttemptClaimParams{
		ID: attempt, TransactionID: id, ShopCode: "panezski", Method: state.Card, FormKey: "k", LeaseSeconds: 3600, Gateway: "x",
		TransactionLimit: 5,
	})
	check.Must(t, err)
	check.Must(t, pgx.BeginFunc(t.Context(), app.Pool, func(tx pgx.Tx) error {
		_, err := db.New(tx).AttemptApprove(t.Context(), db.AttemptApproveParams{ID: attempt, Transactionid: "T-" + id, CapturedMinor: minor})
		return errors.Join(err, receipt.Make(t.Context(), tx, nil, attempt, "x"))
	}))
}

// What was asked for and what was captured may differ. Everybody reads what was captured.
func TestAPaymentIsWhatWasCaptured(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	queries := db.New(app.Pool)
	order := app.Order(t) // of $11.00
	captured(t, app, order, 2000)
	made := app.Post(t, "/desk/panezski/links/new", url.Values{"amount": {"12.50"}, "description": {"Cake"}, "reference": {"INV-1"}})
	link := made.Location[strings.LastIndexByte(made.Location, '/')+1:]
	link, _, _ = strings.Cut(link, "?")
	captured(t, app, link, 2000)

	typed := payment.CardInput{Name: "Pat", Expiry: "12/39", Number: card.Type("4111111111111111"), CVC: card.Type("123")}
	c, problems := typed.Check(time.Now())
	check.MustEqual(t, len(problems), 0, "problems")
	_, err := app.Payments.PayCard(t.Context(), "panezski", order, "another key", c)
	var paid *payment.PaidError
	if !errors.As(err, &paid) || paid.Amount != 2000 {
		t.Errorf("another key gets %v, want 20.00", err)
	}
	found, missed := app.Get(t, "/desk/panezski/payments?amount=20.00").Body, app.Get(t, "/desk/panezski/payments?amount=11.00").Body
	for _, id := range []string{order, link} {
		check.Contains(t, found, id, "a search for 20.00")
		check.Lacks(t, missed, id, "a search for 11.00")
	}
	app.Visit(t, "/desk/panezski/links").Has("$20.00").HasNot("$12.50")
	app.Visit(t, "/desk/panezski/links/"+link).Has("$20.00").HasNot("$12.50")
	token := dbtest.Value[string](t, app.Pool, "SELECT token FROM receipt WHERE transaction_id = $1", order)
	app.Visit(t, "/receipt/"+token).Has("Difference accepted $9.00 Total $20.00")
	tested, err := queries.GoLiveTested(t.Context(), "panezski")
	check.Must(t, err)
	check.Equal(t, tested.AmountMinor, 2000, "the first test order")
	check.Must(t, queries.BatchCreate(t.Context(), db.BatchCreateParams{ID: link, ShopCode: "panezski", ContentHash: []byte("x")}))
	check.Must(t, queries.BatchRowCreate(t.Context(), link, []string{link}, "panezski"))
	batch, err := queries.BatchGet(t.Context(), link, "panezski")
	check.Must(t, err)
	check.Equal(t, batch[0].Position.Amount(), 2000, "the row of the batch")

	var sold strings.Builder
	span := books.Span{
		Shop: "panezski", Test: true, Since: time.Now().Add(-time.Hour), Before: time.Now().Add(time.Hour), Zone: shop.Shop{}.Zone(),
	}
	check.Must(t, app.Books.Write(t.Context(), books.ExportLines, span, &sold))
	check.Contains(t, sold.String(), "Difference accepted,,,1,9.00,9.00", "items sold")

	// Of 20.00, 11.00 went back: 9.00 and the food are still due.
	dbtest.Exec(t, app.Pool, `INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by,
			lease_until, state, settled_at)
		SELECT gen_random_uuid(), id, shop_code, 1100, currency, test_mode, 'x', now(), 'done', now() FROM transaction`)
	running, err := queries.TransactionRunning(t.Context(), "panezski", []string{order})
	check.NoError(t, err, "the guest's running order")
	check.Equal(t, running.ID, order, "the guest's running order")
	app.Visit(t, "/desk/panezski/links/"+link).Has("Refunded", "$11.00", "Paid").HasNot("Refunded $20.00")
}

// A payment that was refunded before it is disputed: the refund is the evidence, and not to answer pays the cardholder twice.
func TestADisputeNamesTheRefundsBeforeIt(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	id := sale(t, app, "4111111111111111", "")
	_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, Amount: 1100, By: "test"})
	check.Must(t, err)
	name := dbtest.Value[string](t, app.Pool, "SELECT refundid FROM refund")
	attempt := dbtest.Value[string](t, app.Pool, "SELECT id::text FROM attempt")
	app.Acquirer(t, "/sandbox/dispute", map[string]string{"reference": attempt, "state": "opened"})
	readLedger(t, app)
	app.Visit(t, "/desk/panezski/disputes/"+attempt).
		Has("You have refunded $11.00 of this payment: $11.00 on ", "(refund "+name+").",
			"Answer with it as evidence, otherwise the money goes back twice.").
		HasNot("Do not refund", "you need not answer")

	app.Acquirer(t, "/sandbox/dispute", map[string]string{"reference": attempt, "state": "lost"})
	readLedger(t, app)
	app.Visit(t, "/desk/panezski/disputes/"+attempt).Has("You have refunded $11.00", "(refund "+name+").").HasNot("Answer with it")
	app.Visit(t, "/desk/panezski/payments/"+id).Has("Refunded $11.00", "Lost $11.00", "Kept −$11.00")
}

// What staff booked or corrected from the gateway's ledger is told as that, and Today counts the one order there is.
func TestTheDeskTellsWhatStaffBookedAndCorrected(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Jobs: true}).SignIn(t)
	id := sale(t, app, "4111111111111111", "")
	end := func(end payment.End) {
		t.Helper()
		readLedger(t, app)
		c, err := app.Payments.MoneyCase(t.Context(), id)
		check.Must(t, err)
		check.Must(t, app.Payments.DecideMoney(t.Context(), id, payment.Decision{Proof: account.OperatorProof(), End: end, By: "Kim", Reason: "rang the gateway", Seen: c.Seen()}))
	}
	attempt := dbtest.Value[string](t, app.Pool, "SELECT id::text FROM attempt")
	app.Acquirer(t, "/sandbox/refund", map[string]string{
		"transactionid": dbtest.Value[string](t, app.Pool, "SELECT transactionid FROM attempt"), "amount": "5.00", "reference": "console-1",
	})
	end(payment.EndBook)
	app.Acquirer(t, "/sandbox/entry", map[string]string{"kind": "capture", "reference": attempt, "amount": "30.00"})
	end(payment.EndCorrect)
	app.Acquirer(t, "/sandbox/entry", map[string]string{"kind": "refund", "reference": "console-1", "amount": "4.00"})
	readLedger(t, app)
	app.Visit(t, "/desk/panezski/payments/"+id).
		Has("$5.00 was refunded outside this site", "Our staff booked it", "Our staff corrected the payment by $19.00").HasNot("asked to refund")
	app.Acquirer(t, "/sandbox/payout", nil)
	readLedger(t, app)
	number := dbtest.Value[string](t, app.Pool, "SELECT number::text FROM payout")
	app.Visit(t, "/desk/panezski/payouts/"+number).Has("$30.00").HasNot("$11.00")
	app.Visit(t, "/desk/panezski/payments/"+id).Has("$30.00 was paid out to you").HasNot("$11.00 was paid out", "$19.00 was paid out")
	app.Visit(t, "/desk/panezski").Has("Taken $30.00", "Payments 1 ", "1 refund $5.00")

	// Staff hear of each decision, with the case and not a payment as its link, and once that there are cases that no reading made.
	told := app.Letter(t, "staff@forecourt.test", "A difference of $11.00 was decided")
	check.Contains(t, told.Plain, "/staff/unmatched/"+id, "the link")
	declined := sale(t, app, "4000000000000002", "")
	// What finds the last case began before staff were told of others.
	earlier, err := app.Pool.Begin(t.Context())
	check.Must(t, err)
	_, err = earlier.Exec(t.Context(), "SELECT now()")
	check.Must(t, err)
	dbtest.Exec(t, app.Pool, "UPDATE ledger_mark SET until_at = clock_timestamp() WHERE kind = 'told'")
	_, err = earlier.Exec(t.Context(), "UPDATE attempt SET later = 'approved' WHERE transaction_id = $1", declined)
	check.Must(t, errors.Join(err, earlier.Commit(t.Context())))
	for range 2 {
		readLedger(t, app)
		check.Equal(t, dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM river_job WHERE args->>'letter' = 'new cases'"), 4,
			"letters about the refund, the amount, the other refund and the later answer")
	}
}

// Of several attempts, the one that paid is the payment, also if it is not the last one.
func TestAPaymentThatWasBookedIsListedAsPaid(t *testing.T) {
	t.Parallel()
	app := apptest.SignedIn(t)
	id := sale(t, app, "4000000000000002", "")
	app.Post(t, "/pos/panezski/"+id+"/retry", nil)
	form := url.Values{"name": {"Pat Lee"}, "card": {"4000000000000002"}, "exp": {"11/33"}, "cvc": {"123"}}
	app.Post(t, "/pos/panezski/"+id, form).Must(t, http.StatusSeeOther, "paying again")
	apptest.Eventually(t, "the payment has an end", func() bool {
		return dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM attempt WHERE state = 'declined'") == 2
	})
	first := dbtest.Value[string](t, app.Pool, "SELECT id::text FROM attempt ORDER BY created_at LIMIT 1")
	rows, err := db.New(app.Pool).CaptureBook(t.Context(), db.CaptureBookParams{
		ID: uuid.MustParse(first), TransactionID: id, Merchant: "panezski", TestMode: true, Currency: "AUD", AmountMinor: 1100, MovedAt: new(time.Now().Add(-time.Hour)),
		Transactionid: "T-1", Gateway: "sandbox",
	})
	if err != nil || rows != 1 {
		t.Fatal(rows, err)
	}
	app.Visit(t, "/desk/panezski/payments/"+id).
		Has("The payment did not go through", "A payment of $11.00 was found", "Our staff booked it").HasNot("The bank approved")
	check.Contains(t, app.Get(t, "/desk/panezski/payments?show=paid").Body, id, "the paid ones")
	check.Lacks(t, app.Get(t, "/desk/panezski/payments?show=declined").Body, id, "the declined ones")
}
