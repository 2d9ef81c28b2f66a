package settlement

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

// committing is how long a movement may take to be committed after its moment. No transaction lasts that long.
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
		listed := latest(since, step(since, now))
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

// step returns how far one statement lists what moved since then. Orders of days would take it longer than PostgreSQL allows.
func step(since, now time.Time) time.Time {
	if most := since.Add(6 * time.Hour); most.Before(now.Add(-committing)) {
		return most
	}
	return now.Add(-committing)
}

// ListAwaited lists what moved between the last listing and an hour before now and no payout holds, so that few movements have to be looked up
// one by one for what a business is owed. It does nothing until payouts were imported for the first time.
func (s *Settlement) ListAwaited(ctx context.Context, now time.Time) error {
	for more := true; more; {
		var err error
		if more, err = s.listAwaited(ctx, now); err != nil {
			return err
		}
	}
	return nil
}

// listAwaited takes one step and reports whether more are left.
func (s *Settlement) listAwaited(ctx context.Context, now time.Time) (more bool, err error) {
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
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
		since := was.UntilAt
		if was.ListedUntil != nil {
			since = latest(since, *was.ListedUntil)
		}
		listed := step(since, now)
		if !listed.After(since) {
			return nil
		}
		more = listed.Before(now.Add(-committing))
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
