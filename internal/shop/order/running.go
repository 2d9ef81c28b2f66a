package order

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"forecourt/db/state"
)

// Running is an order that a guest waits for.
type Running struct {
	ID    string
	Table string // empty for none
	Ready bool
}

// Running returns the latest of these orders that a guest of the shop still waits for, or nil.
func (o *Orders) Running(ctx context.Context, shop string, ids []string) (*Running, error) {
	row, err := o.queries.TransactionRunning(ctx, shop, ids)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil //nolint:nilnil // no order is not an error
	}
	if err != nil {
		return nil, err
	}
	return &Running{ID: row.ID, Table: row.TableName, Ready: row.Status == state.Completed}, nil
}
