package settlement

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
)

// listUnsettled lists the movements that are in no payout: overdue ones as unsettled, younger ones as awaited. It removes movements that
// are now in a payout from the first list; a trigger removes them from the second.
func (s *Settlement) listUnsettled(ctx context.Context) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		until, err := lockMovements(ctx, queries)
		if err != nil {
			return err
		}
		was, err := queries.UnsettledMarks(ctx)
		if errors.Is(err, pgx.ErrNoRows) {
			was.UntilAt, err = until.Add(-firstLook), nil
		}
		if err != nil {
			return err
		}
		late := latest(was.UntilAt, until.AddDate(0, 0, -s.days))
		since := late
		if was.ListedUntil != nil {
			since = latest(late, *was.ListedUntil)
		}
		if err := queries.UnsettledAdd(ctx, was.UntilAt, late); err != nil {
			return err
		}
		for next := step(since, until); next.After(since); next = step(since, until) {
			if err := queries.AwaitedAdd(ctx, since, next); err != nil {
				return err
			}
			since = next
		}
		if err := queries.AwaitedDrop(ctx, late); err != nil {
			return err
		}
		if err := queries.UnsettledMarksSet(ctx, late, since); err != nil {
			return err
		}
		return queries.UnsettledDrop(ctx)
	})
}

// listStep is the longest period whose movements one statement lists. Several days of a busy site would take longer than PostgreSQL's time
// limit.
const listStep = 6 * time.Hour

// step returns the end of the period, beginning at since, that one statement lists on the way to until.
func step(since, until time.Time) time.Time {
	if most := since.Add(listStep); most.Before(until) {
		return most
	}
	return until
}

// lockMovements makes other transactions that list movements or place them in payouts wait. It returns the time until which movements can
// be listed: a transaction that still runs may yet add later ones.
func lockMovements(ctx context.Context, queries *db.Queries) (until time.Time, err error) {
	if err := queries.UnsettledLock(ctx, lockKey); err != nil {
		return until, err
	}
	return queries.MovementsUntil(ctx)
}

// ListAwaited lists as awaited the movements that are in no payout, from the last listing until a minute or two ago. The amount that a
// business is owed is then read from that list, and only later movements are looked up one by one. ListAwaited does nothing until payouts
// were imported for the first time.
func (s *Settlement) ListAwaited(ctx context.Context) error {
	for more := true; more; {
		var err error
		if more, err = s.listAwaited(ctx); err != nil {
			return err
		}
	}
	return nil
}

// listAwaited does one step and reports whether more steps are left.
func (s *Settlement) listAwaited(ctx context.Context) (more bool, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		until, err := lockMovements(ctx, queries)
		if err != nil {
			return err
		}
		was, err := queries.UnsettledMarks(ctx)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		since := was.UntilAt
		if was.ListedUntil != nil {
			since = latest(since, *was.ListedUntil)
		}
		listed := step(since, until)
		if !listed.After(since) {
			return nil
		}
		more = listed.Before(until)
		if err := queries.AwaitedAdd(ctx, since, listed); err != nil {
			return err
		}
		return queries.UnsettledMarksSet(ctx, was.UntilAt, listed)
	})
	return more, err
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
