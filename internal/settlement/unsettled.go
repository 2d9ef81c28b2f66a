package settlement

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

// committing is longer than it takes to commit a movement after its moment: no transaction lasts an hour.
const committing = time.Hour

// listUnsettled lists the movements that no payout holds: those that are overdue as unsettled, the younger ones as awaited. It removes from
// the first list those that a payout now holds; a trigger removes them from the second.
func (s *Settlement) listUnsettled(ctx context.Context, now time.Time) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		if err := queries.UnsettledLock(ctx, lockKey); err != nil {
			return err
		}
		was, err := queries.UnsettledMarks(ctx)
		if errors.Is(err, pgx.ErrNoRows) {
			was.UntilAt, err = now.Add(-firstLook), nil
		}
		if err != nil {
			return err
		}
		late := latest(was.UntilAt, now.AddDate(0, 0, -s.days))
		since := late
		if was.ListedUntil != nil {
			since = latest(late, *was.ListedUntil)
		}
		listed := latest(since, now.Add(-committing))
		if err := queries.UnsettledAdd(ctx, was.UntilAt, late); err != nil {
			return err
		}
		if err := queries.AwaitedAdd(ctx, since, listed); err != nil {
			return err
		}
		if err := queries.AwaitedDrop(ctx, late); err != nil {
			return err
		}
		if err := queries.UnsettledMarksSet(ctx, late, listed); err != nil {
			return err
		}
		return queries.UnsettledDrop(ctx)
	})
}

// ListAwaited lists as awaited what moved since the last listing and until an hour before now, and is in no payout. What a business is owed is then
// read from that list, and only later movements are looked up one by one. It does nothing until payouts were imported for the first time.
func (s *Settlement) ListAwaited(ctx context.Context, now time.Time) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		if err := queries.UnsettledLock(ctx, lockKey); err != nil {
			return err
		}
		was, err := queries.UnsettledMarks(ctx)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		since, listed := was.UntilAt, now.Add(-committing)
		if was.ListedUntil != nil {
			since = latest(since, *was.ListedUntil)
		}
		if !listed.After(since) {
			return nil
		}
		if err := queries.AwaitedAdd(ctx, since, listed); err != nil {
			return err
		}
		return queries.UnsettledMarksSet(ctx, was.UntilAt, listed)
	})
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
