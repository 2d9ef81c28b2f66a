package paylink_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/people/account"
	"forecourt/internal/shop/paylink"
)

func TestABatchIsStoredCompletelyOrNotAtAll(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	batches := paylink.NewLinks(pool, nil, nil, account.Verification{}, nil)
	stored := func() int {
		return dbtest.Value[int](t, pool, "SELECT (SELECT count(*) FROM transaction) + (SELECT count(*) FROM batch)")
	}
	before := stored()
	_, _, err := batches.Create(t.Context(), "panezski", "", []paylink.Row{
		{Amount: "1"}, {Amount: "1.234", Currency: "nonsense", Expires: "tomorrow"}, {}, {Whole: "a row has to be an object"}, {Amount: "1", Expires: "2020-01-01"},
		{Amount: "1", Reference: "a\xff"}, {Unread: []string{"amount", "description"}},
	})
	want := paylink.Problems{
		{2, "amount", "the amount has to be written like 12.50, from 0.01 to 999999.99"},
		{2, "expires", "the expiry has to be a day such as 2027-01-31 or a moment such as 2027-01-31T09:30:00Z"},
		{2, "currency", "the currency has to be three capital letters of one with two decimals, such as AUD"},
		{3, "amount", "the amount has to be above zero"},
		{4, "", "a row has to be an object"},
		{5, "expires", "the expiry has to be in the future"},
		{6, "reference", "the reference is not UTF-8"},
		{7, "amount", "amount has to be one text or number"},
		{7, "description", "description has to be one text or number"},
	}
	var problems paylink.Problems
	if !errors.As(err, &problems) || cmp.Diff(want, problems) != "" {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, problems))
	}
	check.Equal(t, stored(), before, "rows after a refused batch")
	for rows, want := range map[int]error{0: paylink.ErrEmpty, 1001: paylink.ErrTooMany} {
		_, _, err := batches.Create(t.Context(), "panezski", "", slices.Repeat([]paylink.Row{{Amount: "1"}}, rows))
		check.ErrorIs(t, err, want, "%d rows", rows)
	}
	made, again, err := batches.Create(t.Context(), "panezski", "", slices.Repeat([]paylink.Row{{Amount: "1", Expires: "2999-01-31"}}, 1000))
	if err != nil || again || len(made.Rows) != 1000 || made.Rows[999].RowNo != 1000 || made.Rows[999].Status != "new" {
		t.Errorf("created %d of 1,000 rows, %v", len(made.Rows), err)
	}
	check.Equal(t, made.Rows[0].ExpiresAt.UTC().Format("2006-01-02 15:04"), "2999-01-31 13:00", "the day ends at … UTC")
	_, err = batches.Batch(t.Context(), "moollar", made.ID)
	check.ErrorIs(t, err, paylink.ErrNoBatch, "another shop reads the batch")
}

func TestRepeatingABatchReturnsTheFirst(t *testing.T) {
	t.Parallel()
	pool := dbtest.Pool(t)
	batches := paylink.NewLinks(pool, nil, nil, account.Verification{}, nil)
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
		t.Errorf("another shop's same key: %+v, %t, %v", made, again, err)
	}
}
