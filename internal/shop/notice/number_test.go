package notice_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/shop/notice"
)

const oneEvent = "INSERT INTO shop_event (shop_code, subject, kind, about, test_mode) VALUES ($1, $2, 'order.made', $2, true)"

func add(t *testing.T, in dbtest.Executor, shop, subject string) {
	t.Helper()
	dbtest.Exec(t, in, oneEvent, shop, subject)
}

// numbers lists the events of a business in the order of their numbers, such as "1 first, 2 second".
func numbers(t *testing.T, pool *pgxpool.Pool, shop string) string {
	t.Helper()
	return dbtest.Value[string](t, pool, `SELECT coalesce(string_agg(number || ' ' || subject, ', ' ORDER BY number), '')
		FROM shop_event WHERE shop_code = $1 AND number IS NOT NULL`, shop)
}

// empty returns a database without events, and a numberer for it.
func empty(t *testing.T, told func(context.Context, pgx.Tx, []notice.Numbered) error) (*pgxpool.Pool, *notice.Numberer) {
	t.Helper()
	pool := dbtest.Pool(t)
	for _, statement := range []string{"DELETE FROM shop_event", "DELETE FROM shop_event_last"} {
		dbtest.Exec(t, pool, statement)
	}
	return pool, notice.NewNumberer(pool, told, slog.New(slog.DiscardHandler))
}

func number(t *testing.T, n *notice.Numberer, want int) {
	t.Helper()
	if got, err := n.Number(t.Context()); err != nil || got != want {
		t.Errorf("numbered %d, %v; want %d", got, err, want)
	}
}

// A reader who has seen a number must have seen all before it, so an event that commits late gets a number after those already read.
func TestEventsAreNumberedAfterTheyCommit(t *testing.T) {
	t.Parallel()
	pool, n := empty(t, nil)
	slow, err := pool.Begin(t.Context())
	check.Must(t, err)
	defer func() { _ = slow.Rollback(context.WithoutCancel(t.Context())) }()
	add(t, slow, "panezski", "slow")
	add(t, pool, "panezski", "quick")
	add(t, pool, "sabona", "other")
	number(t, n, 2)
	check.Equal(t, numbers(t, pool, "panezski"), "1 quick", "before the slow transaction commits")
	check.Must(t, slow.Commit(t.Context()))
	add(t, pool, "panezski", "last")
	number(t, n, 2)
	number(t, n, 0)
	check.Equal(t, numbers(t, pool, "panezski"), "1 quick, 2 slow, 3 last", "afterwards")
	check.Equal(t, numbers(t, pool, "sabona"), "1 other", "another business")
}

func TestConcurrentNumberersLeaveNoGapsOrDuplicates(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	told := map[string]int{}
	pool, n := empty(t, func(_ context.Context, _ pgx.Tx, list []notice.Numbered) error {
		mu.Lock()
		defer mu.Unlock()
		for _, e := range list {
			told[fmt.Sprint(e.Shop, e.Number)]++
		}
		return nil
	})
	const writers, each = 4, 50
	var wait sync.WaitGroup
	for range writers {
		wait.Go(func() {
			for range each {
				_, err := pool.Exec(t.Context(), oneEvent, "panezski", "x")
				check.NoError(t, err)
			}
		})
	}
	for range 3 {
		wait.Go(func() {
			for range 30 {
				_, err := n.Number(t.Context())
				check.NoError(t, err)
			}
		})
	}
	wait.Wait()
	_, err := n.Number(t.Context())
	check.Must(t, err)
	got := dbtest.Value[[]int64](t, pool, "SELECT array_agg(number ORDER BY number) FROM shop_event")
	if len(got) != writers*each || got[0] != 1 || got[len(got)-1] != writers*each {
		t.Errorf("the numbers are %v", got)
	}
	for what, times := range told {
		check.Equal(t, times, 1, "%s was handed over … times", what)
	}
	check.Equal(t, len(told), writers*each, "events were handed over")
}

// Numbers commit together with what follows from them: a process that dies in between has given none.
func TestAnEventThatCannotBeHandedOverHasNoNumber(t *testing.T) {
	t.Parallel()
	dies := errors.New("dies")
	pool, n := empty(t, func(context.Context, pgx.Tx, []notice.Numbered) error { return dies })
	add(t, pool, "panezski", "one")
	if got, err := n.Number(t.Context()); !errors.Is(err, dies) || got != 0 {
		t.Errorf("numbered %d, %v", got, err)
	}
	check.Equal(t, numbers(t, pool, "panezski"), "", "after the failure the numbers")
	again := notice.NewNumberer(pool, nil, slog.New(slog.DiscardHandler))
	number(t, again, 1)
	check.Equal(t, numbers(t, pool, "panezski"), "1 one", "afterwards")
}

// The last number outlives the events, so that the numbers of a business do not start again after its events have been dropped.
func TestNumbersContinueAfterOldEventsAreDropped(t *testing.T) {
	t.Parallel()
	pool, n := empty(t, nil)
	add(t, pool, "panezski", "old")
	number(t, n, 1)
	dbtest.Exec(t, pool, "DELETE FROM shop_event")
	add(t, pool, "panezski", "new")
	number(t, n, 1)
	check.Equal(t, numbers(t, pool, "panezski"), "2 new", "the numbers")
}
