package order

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"forecourt/db/state"
)

// Number is what an order is called out by, the number that it has in its shop's day: "No. 12"; "" for none.
func Number(no *int32) string {
	if no == nil {
		return ""
	}
	return fmt.Sprintf("No. %d", *no)
}

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
