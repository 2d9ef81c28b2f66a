package db

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// TransactionWithLines runs TransactionGet and OrderLineList in one round trip.
func (q *Queries) TransactionWithLines(ctx context.Context, id, clientCode string) (TransactionGetRow, []OrderLineListRow, error) {
	batch := &pgx.Batch{}
	batch.Queue(transactionGet, id, clientCode)
	batch.Queue(orderLineList, id, clientCode)
	answers := q.db.(batcher).SendBatch(ctx, batch)
	defer func() { _ = answers.Close() }() // each answer has reported its own error
	read := New(answered{DBTX: q.db, answers: answers})
	row, err := read.TransactionGet(ctx, id, clientCode)
	if err != nil {
		return row, nil, err
	}
	lines, err := read.OrderLineList(ctx, id, clientCode)
	return row, lines, err
}

type batcher interface {
	SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults
}

// answered lets queries read the answers to a batch, in the order in which it was queued.
type answered struct {
	DBTX
	answers pgx.BatchResults
}

// Query implements DBTX.
func (a answered) Query(context.Context, string, ...any) (pgx.Rows, error) { return a.answers.Query() }

// QueryRow implements DBTX.
func (a answered) QueryRow(context.Context, string, ...any) pgx.Row { return a.answers.QueryRow() }
