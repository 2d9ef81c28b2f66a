package settlement

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/people/review"
)

// Unmatched lists a page of the entries of the gateway's ledger that match nothing here, the oldest first. state is open, closed, or "" for
// both. more is true if another page follows.
func (s *Settlement) Unmatched(ctx context.Context, state string, page int) (entries []db.UnmatchedMovement, more bool, err error) {
	skipped, atMost := review.Window(page)
	rows, err := s.queries.UnmatchedList(ctx, state, skipped, atMost)
	entries, more = review.Page(rows)
	return entries, more, err
}

// UnmatchedCounts returns how many such entries wait for a person, and how many are closed.
func (s *Settlement) UnmatchedCounts(ctx context.Context) (open, closed int, err error) {
	n, err := s.queries.UnmatchedCount(ctx)
	return int(n.Open), int(n.Closed), err
}

// UnmatchedEntry returns one of them with its history. Errors: fault.NotFound.
func (s *Settlement) UnmatchedEntry(ctx context.Context, kind, reference string) (db.UnmatchedMovement, []review.Event, error) {
	entry, err := s.queries.UnmatchedGet(ctx, kind, reference)
	if errors.Is(err, pgx.ErrNoRows) {
		return entry, nil, fault.New(fault.NotFound, "no such entry")
	}
	if err != nil {
		return entry, nil, err
	}
	history, err := review.History(ctx, s.queries, unmatchedSubject(kind, reference))
	return entry, history, err
}

// CloseUnmatched closes an entry, so that it is no longer listed and no longer keeps a payment from being paid or refunded. It records who
// did it and why. Errors: review.ErrDecided.
func (s *Settlement) CloseUnmatched(ctx context.Context, kind, reference, by, reason string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		rows, err := queries.UnmatchedClose(ctx, kind, reference)
		if err != nil {
			return err
		}
		if rows == 0 {
			return review.ErrDecided
		}
		return queries.AuditAdd(ctx, db.AuditAddParams{
			Actor: by, Action: "close unmatched", Subject: unmatchedSubject(kind, reference), Reason: reason,
		})
	})
}

func unmatchedSubject(kind, reference string) string { return "unmatched " + kind + " " + reference }
