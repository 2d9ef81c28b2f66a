package payment_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/pay/payment"
)

// forgotten sets the books back to a backup from before the payment.
const (
	forgotten = `UPDATE transaction SET status = 'new', approved_attempt = NULL, paid_at = NULL, transactionid = ''; DELETE FROM receipt; DELETE FROM attempt;`
	closed    = `INSERT INTO restore (backup_at, restored_at) VALUES (now() - interval '1 hour', now() - interval '1 hour')`
)

func TestTheLedgerIsImportedAfterARestore(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, byHand              string
		captures, waiting, people int
		status, problem           string
	}{
		{"a capture after the backup", forgotten, 1, 0, 0, "success", ""},
		{"of an order that expired since", forgotten + "UPDATE transaction SET status = 'expired';", 1, 0, 0, "success", ""},
		{"of an order that had been declined", forgotten + "UPDATE transaction SET status = 'error';", 1, 0, 0, "success", ""},
		{"of a pay link", forgotten + "DELETE FROM order_line;", 1, 0, 0, "paid", ""},
		{"of another amount", forgotten + "UPDATE transaction SET amount_minor = 9900;", 0, 0, 1, "new",
			"charged 11.00 AUD, which we did not send"},
		{"of a transaction that does not exist", forgotten + "DELETE FROM order_line; DELETE FROM order_key; DELETE FROM transaction;", 0, 0, 1,
			"", "there is no transaction"},
		{"that is declined here", "UPDATE attempt SET state = 'declined'; UPDATE transaction SET status = 'error', approved_attempt = NULL, paid_at = NULL;", 0, 0, 1, "error", "it is declined here"},
		{"beside another payment",
			"UPDATE attempt SET id = gen_random_uuid(), transactionid = 'other'; UPDATE transaction SET approved_attempt = (SELECT id FROM attempt);", 0, 0, 1, "success", "charged 11.00 AUD, which we did not send"},
		{"while another attempt is open", "UPDATE attempt SET id = gen_random_uuid(), state = 'submitting', settled_at = NULL, lease_until = now() + interval '1 hour';" +
			"UPDATE transaction SET status = 'processing', approved_attempt = NULL, paid_at = NULL;", 0, 1, 0, "processing", ""},
		{"that is in the backup", "", 0, 0, 0, "success", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{})
			id := paid(t, app)
			if _, err := app.Payments.ImportLedger(t.Context(), "test", false); !errors.Is(err, payment.ErrOpen) {
				t.Errorf("without a restore: %v", err)
			}
			changeByHand(t, app, tt.byHand+closed)
			other := app.Order(t)
			if _, err := app.Payments.PayCard(t.Context(), "panezski", other, "k", typed(t, "4111111111111111")); !errors.Is(err, payment.ErrRestored) {
				t.Errorf("a payment while payments are closed: %v", err)
			}
			done, err := app.Payments.ImportLedger(t.Context(), "test", false)
			if err != nil || done.Captures != tt.captures || len(done.Waiting) != tt.waiting || len(done.People) != tt.people {
				t.Fatalf("%+v, %v", done, err)
			}
			if tt.people > 0 && !strings.Contains(done.People[0].Says, tt.problem) {
				t.Errorf("the problem is %q, want %q", done.People[0].Says, tt.problem)
			}
			status := dbtest.Value[string](t, app.Pool, "SELECT coalesce((SELECT status FROM transaction WHERE id = $1), '')", id)
			check.Equal(t, status, tt.status, "the transaction")
			_, err = app.Payments.PayCard(t.Context(), "panezski", other, "k", typed(t, "4111111111111111"))
			if tt.waiting > 0 && !errors.Is(err, payment.ErrRestored) || tt.waiting == 0 && err != nil {
				t.Errorf("a payment after the import: %v", err)
			}
		})
	}
}

func TestARefundMadeAfterTheBackupIsNotRepeated(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := paid(t, app)
	_, err := app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, Amount: 100, By: "test"})
	check.Must(t, err)
	changeByHand(t, app, "DELETE FROM refund; UPDATE transaction SET refunded_minor = 0;"+closed)
	_, err = app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, Amount: 100, By: "test"})
	check.ErrorIs(t, err, payment.ErrRestored, "a refund while payments are closed")
	if done, err := app.Payments.ImportLedger(t.Context(), "test", false); err != nil || done.Refunds != 1 || len(done.People) != 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	apptest.Eventually(t, "the refund is done", func() bool {
		var state string
		var left int64
		err := app.Pool.QueryRow(t.Context(), "SELECT r.state, t.refunded_minor FROM refund r JOIN transaction t ON t.id = r.transaction_id").Scan(&state, &left)
		return err == nil && state == "done" && left == 100
	})
	_, err = app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: id, Amount: 100, By: "test"})
	check.ErrorIs(t, err, payment.ErrEqualRefund, "the same refund again")
}

// acquirer is a gateway that has accepted one payment but not decided it.
type acquirer struct {
	tells   bool // its ledger lists the kind open
	decided atomic.Bool
	entry   atomic.Pointer[string] // of the payment, without its kind
}

func (a *acquirer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/api/pay":
		var sent struct{ Reference, TrxID string }
		if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
			panic(err)
		}
		if a.entry.Load() != nil { // a later payment
			fmt.Fprintf(w, approved, sent.Reference, "")
			return
		}
		entry := `"reference":"` + strings.ToUpper(sent.Reference) + `","trxId":"` + sent.TrxID + `","merchantId":"panezski","testMode":true,"amount":"11.00","currency":"aud","arrivals":1,` +
			`"transactionid":"T-late","at":"` + time.Now().UTC().Format(time.RFC3339) + `"`
		a.entry.Store(&entry)
		w.WriteHeader(http.StatusAccepted)
	case r.URL.Path == "/ledger":
		entries, kinds := "", `,"kinds":["capture","refund"]`
		if a.tells {
			kinds = `,"kinds":["capture","refund","open"]`
		}
		if kind := r.URL.Query().Get("kinds"); a.decided.Load() && kind == "" {
			entries = `{"kind":"capture",` + *a.entry.Load() + "}"
		} else if a.tells && !a.decided.Load() && kind == "open" {
			entries = `{"kind":"open",` + *a.entry.Load() + "}"
		}
		fmt.Fprintf(w, `{"entries":[%s]%s}`, entries, kinds)
	default: // only the acquirer decides the payment
		w.WriteHeader(http.StatusAccepted)
	}
}

func TestATransactionStaysClosedUntilTheGatewayDecidesItsPayment(t *testing.T) {
	t.Parallel()
	for _, tells := range []bool{true, false} {
		t.Run(fmt.Sprint("the ledger lists open payments: ", tells), func(t *testing.T) {
			t.Parallel()
			acquirer := &acquirer{tells: tells}
			app := apptest.New(t, apptest.Options{Gateway: acquirer})
			id, key := app.Order(t), 0
			pay := func(id string) error {
				key++
				_, err := app.Payments.PayCard(t.Context(), "panezski", id, fmt.Sprint(key), typed(t, "4111111111111111"))
				return err
			}
			check.Must(t, pay(id))
			changeByHand(t, app, forgotten+"UPDATE transaction SET created_at = now() - interval '2 hours';"+closed)
			since := app.Order(t)

			done, err := app.Payments.ImportLedger(t.Context(), "test", false)
			if err != nil || !done.Held || (len(done.Undecided) == 1) != tells || (len(done.Silent) == 0) != tells {
				t.Fatalf("the import says %+v, %v", done, err)
			}
			if tells && !strings.Contains(done.Undecided[0], id) {
				t.Errorf("the import names %s, want the transaction %s", done.Undecided[0], id)
			}
			closed := map[bool]error{true: payment.ErrHeld, false: payment.ErrRestored}[tells]
			check.ErrorIs(t, pay(id), closed, "paying for a transaction that may be charged already")
			check.NoError(t, pay(since), "paying for an order made since")
			acquirer.decided.Store(true) // as charged
			done, err = app.Payments.ImportLedger(t.Context(), "test", false)
			if err != nil || done.Captures != 1 || len(done.Waiting) != 0 || done.Held == tells {
				t.Fatalf("after the decision the import says %+v, %v", done, err)
			}
			if trx := stored(t, app, id).Transaction; trx.Status != "success" || trx.Transactionid != "T-late" {
				t.Errorf("the transaction is %q, paid by %q", trx.Status, trx.Transactionid)
			}
		})
	}
}

// A reference that the acquirer never decides must not keep every business closed.
func TestAnUnknownReferenceIsListedAndClosesNothing(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Gateway: &acquirer{tells: true}})
	id := app.Order(t)
	if _, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, "4111111111111111")); err != nil {
		t.Fatal(err)
	}
	changeByHand(t, app, forgotten+"DELETE FROM order_line; DELETE FROM order_key; DELETE FROM transaction;")
	before := app.Order(t)
	changeByHand(t, app, "UPDATE transaction SET created_at = now() - interval '2 hours';"+closed)
	done, err := app.Payments.ImportLedger(t.Context(), "test", false)
	if err != nil || done.Held || len(done.People) != 1 || len(done.Waiting)+len(done.Undecided) > 0 {
		t.Fatalf("the import says %+v, %v", done, err)
	}
	_, err = app.Payments.PayCard(t.Context(), "panezski", before, "k", typed(t, "4111111111111111"))
	check.NoError(t, err, "paying for an order of the backup")
}

// The backup's payments went to a gateway that is no longer set up and may still charge for anything in the backup.
func TestAMissingGatewayKeepsTheBackupsOrdersClosed(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	paid(t, app)
	before := app.Order(t)
	changeByHand(t, app, "UPDATE attempt SET gateway = 'the one before', created_at = now() - interval '2 hours';"+
		"UPDATE transaction SET created_at = now() - interval '2 hours';"+closed)
	since := app.Order(t)
	pay := func(id string) error {
		_, err := app.Payments.PayCard(t.Context(), "panezski", id, "k", typed(t, "4111111111111111"))
		return err
	}
	done, err := app.Payments.ImportLedger(t.Context(), "test", false)
	if err != nil || !done.Held || len(done.Absent) != 1 || done.Absent[0] != "the one before" {
		t.Fatalf("the import says %+v, %v", done, err)
	}
	check.ErrorIs(t, pay(before), payment.ErrRestored, "paying for a transaction that may be charged already")
	check.NoError(t, pay(since), "paying for an order made since")
	if done, err = app.Payments.ImportLedger(t.Context(), "test", true); err != nil || done.Held {
		t.Fatalf("an import that a person accepts: %+v, %v", done, err)
	}
	check.NoError(t, pay(before), "paying once a person has accepted")
}

func TestAPersonReopensPaymentsAfterASilentGateway(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{Gateway: &acquirer{}})
	before := app.Order(t)
	pay := func(key string) error {
		_, err := app.Payments.PayCard(t.Context(), "panezski", before, key, typed(t, "4111111111111111"))
		return err
	}
	changeByHand(t, app, "UPDATE transaction SET created_at = now() - interval '2 hours';"+closed)
	for i, accept := range []bool{false, true} {
		check.ErrorIs(t, pay(fmt.Sprint("closed", i)), payment.ErrRestored, "before the import with %t", accept)
		if done, err := app.Payments.ImportLedger(t.Context(), "test", accept); err != nil || done.Held == accept {
			t.Errorf("the import with %t says %+v, %v", accept, done, err)
		}
	}
	check.NoError(t, pay("open"), "paying once a person has accepted")
	_, err := app.Payments.ImportLedger(t.Context(), "test", true)
	check.ErrorIs(t, err, payment.ErrOpen, "importing once more")
	accepted := dbtest.Value[int](t, app.Pool, "SELECT count(*) FROM audit WHERE action = 'import ledger, accept unknown' AND actor = 'test'")
	check.Equal(t, accepted, 1, "the audit log lists the acceptance … times")
}

func TestABanksPageFromBeforeARestoreChargesNothing(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := app.Order(t)
	asked, err := app.Payments.PayCard(t.Context(), "panezski", id, "before", typed(t, "4000000000003220"))
	if err != nil || asked.State != "redirected" {
		t.Fatal(asked.State, err)
	}
	changeByHand(t, app, forgotten+closed)
	if done, err := app.Payments.ImportLedger(t.Context(), "test", false); err != nil || len(done.Waiting)+len(done.Undecided)+done.Captures > 0 || done.Held {
		t.Fatalf("%+v, %v", done, err)
	}
	_, err = app.Payments.PayCard(t.Context(), "panezski", id, "after", typed(t, "4111111111111111"))
	check.Must(t, err)
	settled(t, app, id)
	app.Post(t, asked.RedirectUrl, url.Values{"decision": {"approve"}})
	check.Equal(t, len(app.Captures(t, id)), 1, "charged … times")
}

// What an entry moved whose amount is not readable is not known, so its transaction may be neither paid nor refunded.
func TestAnOddEntryKeepsTheTransactionsOfABackupClosed(t *testing.T) {
	t.Parallel()
	var entries atomic.Value
	entries.Store("")
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/pay", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, approved, decode(t, r)["reference"], "")
	})
	mux.HandleFunc("GET /ledger", func(w http.ResponseWriter, r *http.Request) {
		listed, _ := entries.Load().(string)
		if r.URL.Query().Get("kinds") == "open" {
			listed = ""
		}
		fmt.Fprintf(w, `{"entries":[%s],"kinds":["capture","refund","open"]}`, listed)
	})
	app := apptest.New(t, apptest.Options{Gateway: mux})
	refunded, charged, other := paid(t, app), app.Order(t), app.Order(t)
	changeByHand(t, app, "UPDATE transaction SET created_at = now() - interval '2 hours';"+closed)
	entries.Store(fmt.Sprintf(`{"kind":"capture","reference":"%s","trxId":"%s","merchantId":"panezski","testMode":true,"amount":"11.000","currency":"AUD","at":"%[3]s"},
		{"kind":"refund","reference":"%[4]s","trxId":"%s","merchantId":"panezski","testMode":true,"amount":"-11.00","currency":"AUD","at":"%[3]s"}`,
		uuid.New(), charged, time.Now().UTC().Format(time.RFC3339), uuid.New(), refunded))
	try := func() (pays, refunds, others error) {
		_, pays = app.Payments.PayCard(t.Context(), "panezski", charged, "k", typed(t, "4111111111111111"))
		_, refunds = app.Payments.Refund(t.Context(), payment.RefundRequest{TransactionID: refunded, By: "test"})
		_, others = app.Payments.PayCard(t.Context(), "panezski", other, "k", typed(t, "4111111111111111"))
		return pays, refunds, others
	}
	done, err := app.Payments.ImportLedger(t.Context(), "test", false)
	if err != nil || !done.Held || len(done.Undecided) != 2 || !strings.Contains(done.Undecided[0], "its amount is not readable") {
		t.Errorf("the import says %+v, %v", done, err)
	}
	pays, refunds, others := try()
	if !errors.Is(pays, payment.ErrHeld) || !errors.Is(refunds, payment.ErrRestored) || !errors.Is(others, payment.ErrRestored) {
		t.Errorf("after the import: paid, %v; refunded, %v; another paid, %v", pays, refunds, others)
	}
	done, err = app.Payments.ImportLedger(t.Context(), "test", true)
	if err != nil || done.Held {
		t.Errorf("the import that accepts what is unknown says %+v, %v", done, err)
	}
	if pays, refunds, others := try(); !errors.Is(pays, payment.ErrHeld) || !errors.Is(refunds, payment.ErrInQuestion) || others != nil {
		t.Errorf("after that: paid, %v; refunded, %v; another paid, %v", pays, refunds, others)
	}
}
