package pay_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
)

// bank is a gateway that approves or declines, and whose ledger a test writes.
type bank struct {
	mu       sync.Mutex
	decline  bool
	captures string // the amount, if it is not the one that was asked for
	away     bool   // refunds get no answer
	charges  int
	last     string // reference of the last charge
	ledger   []map[string]any
}

func (b *bank) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch r.URL.Path {
	case "/ledger":
		_ = json.NewEncoder(w).Encode(map[string]any{"entries": b.ledger, "kinds": []string{"capture", "refund"}})
	case "/api/refund":
		if b.away {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		fmt.Fprint(w, `{"status":"done","refundid":"R-1"}`)
	default:
		var sent struct{ Reference string }
		_ = json.NewDecoder(r.Body).Decode(&sent)
		b.charges, b.last = b.charges+1, sent.Reference
		code := map[bool]string{true: "5", false: "0"}[b.decline]
		fmt.Fprintf(w, `{"status":{"responsetype":"1","statuscode":"%s"},"transactionid":"T-%s","amount":"%s"}`,
			code, sent.Reference, cmp.Or(b.captures, "11.00"))
	}
}

func (b *bank) sent() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.charges
}

// reference returns that of the last charge.
func (b *bank) reference() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.last
}

func (b *bank) setAway(away bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.away = away
}

// books writes the last charge into the ledger.
func (b *bank) books(trx string) { b.write("capture", b.reference(), trx, "") }

func (b *bank) write(kind, reference, trx, transactionid string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ledger = append(b.ledger, map[string]any{
		"kind": kind, "reference": reference, "trxId": trx, "transactionid": transactionid, "currency": "AUD", "arrivals": 1,
		"amount": cmp.Or(b.captures, "11.00"), "merchantId": "panezski", "testMode": true, "at": time.Now().Add(-2 * time.Minute),
	})
}

// lists writes an entry into the ledger and lets the program read it.
func (b *bank) lists(t *testing.T, app *apptest.App, kind, reference, trx, transactionid string) {
	t.Helper()
	b.write(kind, reference, trx, transactionid)
	check.Must(t, app.Settlement.ReadLately(t.Context()))
}

func TestACaptureThatOnlyTheLedgerShowsHoldsItsTransaction(t *testing.T) {
	t.Parallel()
	for name, entry := range map[string]func(b *bank, trx string) (reference, trxID, transactionid string){
		"under the reference of the attempt": func(b *bank, _ string) (string, string, string) { return b.reference(), "", "" },
		"under another reference":            func(_ *bank, trx string) (string, string, string) { return uuid.NewString(), trx, "" },
		"without a reference":                func(_ *bank, trx string) (string, string, string) { return "", trx, "" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := &bank{decline: true}
			app := apptest.New(t, apptest.Options{Gateway: b}).SignIn(t)
			trx := app.Order(t)
			path := "/pos/panezski/" + trx
			posted(t, app, path, card("key", "one"))
			app.Visit(t, path).Has("No money was taken.", "Try Again?")
			reference, trxID, transactionid := entry(b, trx)
			b.lists(t, app, "capture", reference, trxID, transactionid)

			holds := func() {
				t.Helper()
				app.Visit(t, path).Has("We are checking your payment", "Please do not pay again").
					HasNot("No money was taken", "Nothing was charged", "Try Again?", "Pay $11.00")
			}
			holds()
			posted(t, app, path+"/retry", nil)
			posted(t, app, path, card("key", "two"))
			holds()
			app.Post(t, path, card("key", "one")).Leads(t, path, "the first form sent again")
			again := map[string]any{
				"merchantId": "panezski", "trxId": trx, "cardholder": "Pat", "pan": "4111111111111111", "exp": "11/33", "cvc": "123", "tryAgain": true,
			}
			app.PostJSON(t, "/api/pay", again).Want(t, http.StatusConflict, "paid over the API")
			app.Visit(t, "/desk/panezski/payments/"+trx).Has("it can be neither paid nor refunded").HasNot("Nothing was charged")
			app.Visit(t, "/desk/panezski/payments").Has("Under review")
			check.Equal(t, b.sent(), 1, "charges were sent")

			app.AcceptDifferences(t)
			app.Visit(t, path).Has("Your bank may have been charged").HasNot("No money was taken", "Try Again?")
		})
	}
}

func TestACaptureThatOnlyTheLedgerShowsHoldsAnOrderThatNobodyTriedToPay(t *testing.T) {
	t.Parallel()
	b := &bank{}
	app := apptest.New(t, apptest.Options{Gateway: b})
	trx := app.Order(t)
	path := "/pos/panezski/" + trx
	b.lists(t, app, "capture", uuid.NewString(), trx, "")
	posted(t, app, path, card("key", "one"))
	app.Visit(t, path).Has("We are checking your payment")
	dbtest.Exec(t, app.Pool, "UPDATE transaction SET status = 'expired'")
	dbtest.Exec(t, app.Pool, "UPDATE shop SET mail = ''") // a business need not have an address
	app.Visit(t, path).Has("We are checking your payment").HasNot("Nothing was charged", "can tell you more")
	check.Equal(t, b.sent(), 0, "charges were sent")
}

// A gateway may give all refunds of its console the same reference, or none.
func TestEachRefundOfAConsoleHoldsItsOwnPayment(t *testing.T) {
	t.Parallel()
	for _, reference := range []string{"console", ""} {
		b := &bank{}
		app := apptest.New(t, apptest.Options{Gateway: b})
		refused := func(trx string) {
			t.Helper()
			_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, Amount: 500, By: "test"})
			check.ErrorIs(t, err, payment.ErrInQuestion, "%q: refunded", reference)
		}
		var paid []string
		for range 3 {
			trx := app.Order(t)
			paid = append(paid, trx)
			posted(t, app, "/pos/panezski/"+trx, card("key", "one"))
			b.books(trx)
		}
		b.lists(t, app, "refund", reference, paid[0], "")
		b.lists(t, app, "refund", reference, paid[1], "")
		refused(paid[0])
		refused(paid[1])
		app.AcceptDifferences(t)
		b.lists(t, app, "refund", reference, paid[2], "")
		refused(paid[2])
	}
}

// A page of the ledger may repeat what the one before it had, and a gateway need not name the transaction.
func TestABookedPaymentIsNotHeld(t *testing.T) {
	t.Parallel()
	b := &bank{}
	app := apptest.New(t, apptest.Options{Gateway: b})
	trx := app.Order(t)
	posted(t, app, "/pos/panezski/"+trx, card("key", "one"))
	b.books("")
	b.mu.Lock()
	b.ledger = append(b.ledger, b.ledger[0])
	b.mu.Unlock()
	check.Must(t, app.Settlement.ReadLately(t.Context()))
	_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, Amount: 500, By: "test"})
	check.NoError(t, err, "refunded")
}

// Two businesses may have the same id at their gateway, so an entry that names its transaction holds no other.
func TestAnEntryThatNamesItsTransactionHoldsNoOther(t *testing.T) {
	t.Parallel()
	b := &bank{}
	app := apptest.New(t, apptest.Options{Gateway: b})
	one, other := app.Order(t), app.Order(t)
	posted(t, app, "/pos/panezski/"+one, card("key", "one"))
	b.books(one)
	posted(t, app, "/pos/panezski/"+other, card("key", "one"))
	b.books(other)
	b.lists(t, app, "refund", "console", one, "T-"+b.reference())
	_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: other, Amount: 500, By: "test"})
	check.NoError(t, err, "the other one is refunded")
}

func TestARefundThatHasNotReachedTheGatewayWaitsForAPersonOnceTheLedgerShowsAnother(t *testing.T) {
	t.Parallel()
	b := &bank{away: true}
	app := apptest.New(t, apptest.Options{Gateway: b})
	trx := app.Order(t)
	posted(t, app, "/pos/panezski/"+trx, card("key", "one"))
	b.books(trx)
	asked := payment.RefundRequest{TransactionID: trx, Amount: 500, By: "test"}
	if r, err := app.Payments.Refund(t.Context(), asked); err != nil || r.State != "open" {
		t.Fatal(r.State, err)
	}
	b.lists(t, app, "refund", "console", trx, "")
	b.setAway(false)
	if r, err := app.Payments.Refund(t.Context(), asked); err != nil || r.State != "manual" { // unless the sweep resumed it just now
		t.Errorf("resumed: %q, %v", r.State, err)
	}
}

func TestACaptureIsNotGivenBackWhileTheLedgerShowsAnotherRefundOfIt(t *testing.T) {
	t.Parallel()
	b := &bank{captures: "20.00"}
	app := apptest.New(t, apptest.Options{Gateway: b})
	trx := app.Order(t)
	posted(t, app, "/pos/panezski/"+trx, card("key", "one"))
	b.lists(t, app, "capture", b.reference(), trx, "") // its own amount does not keep it from being given back
	b.lists(t, app, "refund", "console", trx, "")
	give := payment.Decision{Of: uuid.MustParse(b.reference()), End: payment.EndGivenBack, By: "Kim", Reason: "too much"}
	check.ErrorIs(t, app.Payments.Decide(t.Context(), give), payment.ErrInQuestion, "given back")
	give.End = payment.EndApproved
	check.Must(t, app.Payments.Decide(t.Context(), give))
	app.AcceptDifferences(t)
	_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, Amount: 500, By: "test"})
	check.NoError(t, err, "refunded once the payment counts and the other refund is accepted")
}

func TestAPersonsDecisionEndsTheHoldOfWhatItBooks(t *testing.T) {
	t.Parallel()
	b := &bank{captures: "20.00"}
	app := apptest.New(t, apptest.Options{Gateway: b})
	trx := app.Order(t)
	path := "/pos/panezski/" + trx
	posted(t, app, path, card("key", "one"))
	app.Visit(t, path).Has("We are checking your payment")
	b.lists(t, app, "capture", b.reference(), trx, "T-"+b.reference())
	err := app.Payments.Decide(t.Context(), payment.Decision{
		Of: uuid.MustParse(b.reference()), End: payment.EndApproved, By: "Kim", Reason: "agreed with the payer",
	})
	check.Must(t, err)
	_, err = app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, Amount: 500, By: "test"})
	check.NoError(t, err, "refunded")
}

func TestARefundThatOnlyTheLedgerShowsHoldsItsPayment(t *testing.T) {
	t.Parallel()
	for name, entry := range map[string]func(b *bank, trx string) (trxID, transactionid string){
		"with the transaction":    func(_ *bank, trx string) (string, string) { return trx, "" },
		"with the gateway's id":   func(b *bank, _ string) (string, string) { return "", "T-" + b.reference() },
		"with both, as it should": func(b *bank, trx string) (string, string) { return trx, "T-" + b.reference() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := &bank{}
			app := apptest.New(t, apptest.Options{Gateway: b}).SignIn(t)
			trx := app.Order(t)
			posted(t, app, "/pos/panezski/"+trx, card("key", "one"))
			b.books(trx)
			trxID, transactionid := entry(b, trx)
			b.lists(t, app, "refund", "console-1", trxID, transactionid)

			refund := func() error {
				_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: trx, Amount: 500, By: "test"})
				return err
			}
			check.ErrorIs(t, refund(), payment.ErrInQuestion, "refunded")
			page := "/desk/panezski/payments/" + trx
			app.Visit(t, page).Has("it can be neither paid nor refunded").HasNot("Make a refund")
			app.Visit(t, page+"/refund").Has("it can be neither paid nor refunded").HasNot("Check the refund")
			app.Visit(t, "/pos/panezski/"+trx).HasNot("We are checking your payment") // it is paid

			app.AcceptDifferences(t)
			check.NoError(t, refund(), "after the entry was closed")
		})
	}
}
