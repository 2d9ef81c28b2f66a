package sandbox

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"go.etcd.io/bbolt"
	"golang.org/x/sync/errgroup"

	"forecourt/internal/kit/check"
)

// Whoever begins payments without end, and pays some, fills only so much of the disk.
func TestPaymentsOfTheHostedPageAreLimited(t *testing.T) {
	t.Parallel()
	st, err := openStore(filepath.Join(t.TempDir(), "sandbox.db"))
	check.Must(t, err)
	defer st.db.Close()
	check.Must(t, st.begin(hosted{ID: "first"}))
	if _, changed, err := st.proceed(hosted{ID: "first"}, verdict{state: approved}, "1111", time.Now(), begun); err != nil || !changed {
		t.Fatal(changed, err)
	}
	var many errgroup.Group
	for i := range 10_500 {
		many.Go(func() error { return st.begin(hosted{ID: fmt.Sprint(i)}) })
	}
	check.Must(t, many.Wait())
	check.Must(t, st.begin(hosted{ID: "last"}))
	check.Must(t, st.db.View(func(tx *bbolt.Tx) error {
		for _, bucket := range [][]byte{hostedBucket, hostedOrderBucket} {
			check.Equal(t, tx.Bucket(bucket).Stats().KeyN, 10_000, "%s", bucket)
		}
		check.Equal(t, tx.Bucket(ledgerBucket).Stats().KeyN, 0, "entries of the ledger")
		return nil
	}))
	for id, want := range map[string]bool{"first": false, "last": true} {
		h, err := st.hosted(id)
		check.Must(t, err)
		check.Equal(t, h != nil, want, "the payment %s is there", id)
	}
}

// Of a paid payment's fields only what its result needs is kept.
func TestAPaidHostedPaymentKeepsNoFieldsOfItsShop(t *testing.T) {
	t.Parallel()
	st, err := openStore(filepath.Join(t.TempDir(), "sandbox.db"))
	check.Must(t, err)
	defer st.db.Close()
	sent := [][2]string{{"bill_city", "Sydney"}, {"transactionkey", "abc"}}
	check.Must(t, st.begin(hosted{ID: "one", Sent: sent}))
	after, _, err := st.proceed(hosted{ID: "one"}, verdict{state: approved}, "1111", time.Now(), begun)
	check.Must(t, err, "the notification has")
	check.Equal(t, after.sent("bill_city"), "Sydney", "the notification has")
	after.Notified = "delivered"
	check.Must(t, st.keepNotified(after))
	if h, err := st.hosted("one"); err != nil || h.sent("bill_city") != "" || h.sent("transactionkey") != "abc" || h.Notified != "delivered" {
		t.Errorf("stored is %+v, %v", h, err)
	}
}
