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

// Whoever begins payments without end fills only so much of the disk.
func TestPaymentsThatNobodyPaysAreLimited(t *testing.T) {
	t.Parallel()
	st, err := openStore(filepath.Join(t.TempDir(), "sandbox.db"))
	check.Must(t, err)
	defer st.db.Close()
	at := time.Date(2029, 5, 6, 7, 8, 9, 0, time.UTC)
	check.Must(t, st.begin(hosted{ID: "first", At: at}))
	if _, changed, err := st.proceed(hosted{ID: "first"}, verdict{state: approved}, "1111", at, begun); err != nil || !changed {
		t.Fatal(changed, err)
	}
	var many errgroup.Group
	for i := range mostHosted + 500 {
		many.Go(func() error { return st.begin(hosted{ID: fmt.Sprint(i), At: at}) })
	}
	check.Must(t, many.Wait())
	check.Must(t, st.begin(hosted{ID: "last", At: at}))
	var kept, listed int
	err = st.db.View(func(tx *bbolt.Tx) error {
		kept, listed = tx.Bucket(hostedBucket).Stats().KeyN, tx.Bucket(unpaidHostedBucket).Stats().KeyN
		return nil
	})
	if err != nil || kept != mostHosted+1 || listed != mostHosted {
		t.Errorf("%d payments are stored, %d listed, %v; want %d that nobody paid and the one that is paid", kept, listed, err, mostHosted)
	}
	for _, id := range []string{"first", "last"} {
		if h, err := st.hosted(id); err != nil || h == nil {
			t.Errorf("the payment %s is gone: %v", id, err)
		}
	}
}

// A paid payment is kept for good, and of the shop's fields only what its result needs.
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
