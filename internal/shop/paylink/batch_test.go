package paylink_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/must"
	"forecourt/internal/shop/paylink"
	apiview "forecourt/views/api"
)

func TestABatchIsStoredCompletelyOrNotAtAll(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	batches := paylink.NewBatches(pool)
	count := func() (n int) {
		must.NoError(t, pool.QueryRow(t.Context(), "SELECT (SELECT count(*) FROM transaction) + (SELECT count(*) FROM batch)").Scan(&n))
		return n
	}
	before := count()
	_, _, err := batches.Create(t.Context(), "panezski", "", []paylink.Row{
		{Amount: "1"}, {Amount: "1.234", Currency: "nonsense", Expires: "tomorrow"}, {}, {Whole: "no row"}, {Amount: "1", Expires: "2020-01-01"},
		{Amount: "1", Reference: "a\x00"}, {Unread: []string{"amount", "description"}},
	})
	want := paylink.BatchProblems{
		{2, "amount", "bad"}, {2, "expires", "bad"}, {2, "currency", "unknown"}, {3, "amount", "missing"}, {4, "", "no row"},
		{5, "expires", "past"}, {6, "reference", "bad"}, {7, "amount", "no text"}, {7, "description", "no text"},
	}
	var problems paylink.BatchProblems
	if !errors.As(err, &problems) || cmp.Diff(want, problems) != "" {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, problems))
	}
	for _, p := range problems {
		if text := apiview.RowProblemText(p.Field, p.What); text == p.Field+" cannot be used" || text == " cannot be used" {
			t.Errorf("no words for %+v", p)
		}
	}
	after := count()
	check.Equal(t, after, before, "a refused batch stored %d rows", after-before)
	for rows, want := range map[int]error{0: paylink.ErrEmpty, 1001: paylink.ErrTooMany} {
		_, _, err := batches.Create(t.Context(), "panezski", "", slices.Repeat([]paylink.Row{{Amount: "1"}}, rows))
		check.ErrorIs(t, err, want, "%d rows", rows)
	}
	made, again, err := batches.Create(t.Context(), "panezski", "", slices.Repeat([]paylink.Row{{Amount: "1", Expires: "2999-01-31"}}, 1000))
	if err != nil || again || len(made.Rows) != 1000 || made.Rows[999].Row != 1000 || made.Rows[999].Status != "new" {
		t.Errorf("created %d of 1,000 rows, %v", len(made.Rows), err)
	}
	check.Equal(t, made.Rows[0].Expires.UTC().Format("2006-01-02 15:04"), "2999-01-31 13:00", "the day ends at … UTC")
	_, err = batches.Get(t.Context(), "moollar", made.ID)
	check.ErrorIs(t, err, paylink.ErrNoBatch, "another client reads the batch")
}

func TestRepeatingABatchReturnsTheFirst(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	batches := paylink.NewBatches(pool)
	rows := []paylink.Row{{Amount: "1"}, {Amount: "2"}}
	ids := make([]string, 8)
	var all sync.WaitGroup
	for n := range ids {
		all.Go(func() {
			made, _, err := batches.Create(t.Context(), "panezski", "key", rows)
			check.NoError(t, err)
			ids[n] = made.ID
		})
	}
	all.Wait()
	check.Equal(t, len(slices.Compact(slices.Clone(ids))), 1, "one key created the batches %v", ids)
	if made, again, err := batches.Create(t.Context(), "panezski", "key", rows); err != nil || !again || made.ID != ids[0] || len(made.Rows) != 2 {
		t.Errorf("again: %+v, %t, %v", made, again, err)
	}
	_, _, err := batches.Create(t.Context(), "panezski", "key", rows[:1])
	check.ErrorIs(t, err, paylink.ErrKeyUsed, "with other rows")
	if made, again, err := batches.Create(t.Context(), "moollar", "key", rows); err != nil || again || made.ID == ids[0] {
		t.Errorf("another client's same key: %+v, %t, %v", made, again, err)
	}
}
