package payment

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/people/review"
)

// Case is an attempt as staff see it.
type Case struct {
	db.AttemptCaseRow
	Waits   bool   // for a person
	Why     string // why it waits
	History []review.Event
}

// Case returns an attempt with its history. Errors: ErrMissing.
func (p *Payments) Case(ctx context.Context, attempt uuid.UUID) (*Case, error) {
	row, err := p.queries.AttemptCase(ctx, attempt)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, ErrMissing
	}
	if err != nil {
		return nil, err
	}
	c := &Case{AttemptCaseRow: row, Why: p.Why(row.Gateway, row.ErrorMsg, row.CreatedAt)}
	if c.Waits, err = p.queries.AttemptWaits(ctx, attempt, p.gatewayIDs()); err != nil {
		return nil, err
	}
	c.History, err = review.History(ctx, p.queries, attempt.String())
	return c, err
}
