package payment_test

import (
	"errors"
	"strings"
	"testing"

	"forecourt/internal/apptest"
	"forecourt/internal/payment"
)

// The books as a backup from before the payment has them.
const (
	forgotten = `UPDATE transaction SET status = 'new', approved_attempt = NULL, paid_at = NULL, transactionid = ''; DELETE FROM attempt;`
	closed    = `INSERT INTO restore (backup_at, restored_at) VALUES (now() - interval '1 hour', now() - interval '1 hour')`
)

func TestAfterARestoreTheLedgerIsImported(t *testing.T) {
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
		{"of another amount", forgotten + "UPDATE transaction SET amount_minor = 9900;", 0, 0, 1, "processing", "the gateway's ledger has 11.00 AUD"},
		{"of no transaction", forgotten + "DELETE FROM order_line; DELETE FROM order_key; DELETE FROM transaction;", 0, 0, 1, "", "there is no such transaction"},
		{"that is declined here", "UPDATE attempt SET state = 'declined'; UPDATE transaction SET status = 'error', approved_attempt = NULL, paid_at = NULL;", 0, 0, 1, "error", "it is declined here"},
		{"beside another payment", "UPDATE attempt SET id = gen_random_uuid(), transactionid = 'other'; UPDATE transaction SET approved_attempt = (SELECT id FROM attempt);", 0, 0, 1, "success", "another attempt paid the transaction"},
		{"while another attempt is open", "UPDATE attempt SET id = gen_random_uuid(), state = 'submitting', settled_at = NULL, lease_until = now() + interval '1 hour';" +
			"UPDATE transaction SET status = 'processing', approved_attempt = NULL, paid_at = NULL;", 0, 1, 0, "processing", ""},
		{"that the backup has", "", 0, 0, 0, "success", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			app := apptest.New(t, apptest.Options{})
			id := paid(t, app)
			if _, err := app.Payments.ImportLedger(t.Context(), "test"); !errors.Is(err, payment.ErrOpen) {
				t.Errorf("without a restore: %v", err)
			}
			changeByHand(t, app, tt.byHand+closed)
			other := app.Order(t)
			if _, err := app.Payments.PayCard(t.Context(), "panezski", other, "k", typed(t, "4111111111111111")); !errors.Is(err, payment.ErrRestored) {
				t.Errorf("a payment while they are closed: %v", err)
			}
			done, err := app.Payments.ImportLedger(t.Context(), "test")
			if err != nil || done.Captures != tt.captures || done.Waiting != tt.waiting || len(done.People) != tt.people {
				t.Fatalf("%+v, %v", done, err)
			}
			if tt.people > 0 && !strings.Contains(done.People[0].Problem, tt.problem) {
				t.Errorf("it tells %q, want %q", done.People[0].Problem, tt.problem)
			}
			var status string
			if err := app.Pool.QueryRow(t.Context(), "SELECT coalesce((SELECT status FROM transaction WHERE id = $1), '')", id).Scan(&status); err != nil || status != tt.status {
				t.Errorf("the transaction is %q, want %q, %v", status, tt.status, err)
			}
			_, err = app.Payments.PayCard(t.Context(), "panezski", other, "k", typed(t, "4111111111111111"))
			if tt.waiting > 0 && !errors.Is(err, payment.ErrRestored) || tt.waiting == 0 && err != nil {
				t.Errorf("a payment after it: %v", err)
			}
		})
	}
}

func TestARefundAfterTheBackupIsNotPaidAgain(t *testing.T) {
	t.Parallel()
	app := apptest.New(t, apptest.Options{})
	id := paid(t, app)
	if _, err := app.Payments.Refund(t.Context(), payment.RefundOrder{TransactionID: id, Amount: 100, By: "test"}); err != nil {
		t.Fatal(err)
	}
	changeByHand(t, app, "DELETE FROM refund; UPDATE transaction SET refunded_minor = 0;"+closed)
	if _, err := app.Payments.Refund(t.Context(), payment.RefundOrder{TransactionID: id, Amount: 100, By: "test"}); !errors.Is(err, payment.ErrRestored) {
		t.Errorf("a refund while payments are closed: %v", err)
	}
	if done, err := app.Payments.ImportLedger(t.Context(), "test"); err != nil || done.Refunds != 1 || len(done.People) != 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	apptest.Eventually(t, "the refund is done", func() bool {
		var state string
		var left int64
		err := app.Pool.QueryRow(t.Context(), "SELECT r.state, t.refunded_minor FROM refund r JOIN transaction t ON t.id = r.transaction_id").Scan(&state, &left)
		return err == nil && state == "done" && left == 100
	})
	if _, err := app.Payments.Refund(t.Context(), payment.RefundOrder{TransactionID: id, Amount: 100, By: "test"}); !errors.Is(err, payment.ErrEqualRefund) {
		t.Errorf("the same refund again: %v", err)
	}
}
