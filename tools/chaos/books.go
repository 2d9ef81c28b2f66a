package main

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
)

// capture is a charge in a gateway's ledger, or a refund.
type capture struct {
	Kind, Reference, TrxID, TransactionID, MerchantID, Amount, Currency string
	TestMode                                                            bool
	Arrivals                                                            int
	Gateway                                                             string `json:"-"`
}

// attempt, transaction and refund are rows of the database. Amounts are written as in the ledger.
type attempt struct {
	ID, TrxID, State, TransactionID, Merchant, Amount, Currency string
	Test                                                        bool
	Gateway                                                     string
	Seconds                                                     float64 // until it was settled
	Checks                                                      int     // of the sweep
}

type transaction struct {
	ID, Status, Approved, TransactionID, Merchant, Amount, Currency string
	Test                                                            bool
	Refunded                                                        string
}

type refund struct {
	ID, TrxID, State, Merchant, Amount, Currency string
	Test                                         bool
	Gateway                                      string
	Seconds                                      float64 // until it was settled
}

// receipt names a receipt and its business's address.
type receipt struct{ TrxID, Merchant string }

// dispute is a dispute in the database.
type dispute struct{ TrxID, State string }

// books holds both sides' records of the money.
type books struct {
	ledger, back  []capture // charges and refunds
	attempts      []attempt
	transactions  []transaction
	refunds       []refund
	receipts      []receipt
	disputes      []dispute
	events        []event
	discrepancies int
}

// event is a business's event about a change. Times is the number of times it is stored.
type event struct {
	Kind, About string
	Times       int
}

// undecided counts what is still undecided.
func undecided(ctx context.Context, conn *pgx.Conn) (n int, err error) {
	err = conn.QueryRow(ctx, `SELECT (SELECT count(*) FROM attempt WHERE state IN ('submitting', 'redirected', 'unknown'))
		+ (SELECT count(*) FROM refund WHERE state IN ('open', 'pending', 'manual'))`).Scan(&n)
	return n, err
}

func readDatabase(ctx context.Context, conn *pgx.Conn, b *books) error {
	return errors.Join(
		readRows(ctx, conn, &b.attempts, `SELECT id::text, transaction_id, state, coalesce(transactionid, ''), client_code,
			(coalesce(captured_minor, amount_minor) / 100.0)::numeric(12, 2)::text, currency, test_mode, coalesce(gateway, ''),
			coalesce(extract(epoch FROM settled_at - created_at), 0)::float8, checks FROM attempt ORDER BY id`),
		readRows(ctx, conn, &b.transactions, `SELECT id, status, coalesce(approved_attempt::text, ''), transactionid, client_code,
			(coalesce(captured_minor, amount_minor) / 100.0)::numeric(12, 2)::text, currency, test_mode,
			(refunded_minor / 100.0)::numeric(12, 2)::text FROM transaction ORDER BY id`),
		readRows(ctx, conn, &b.refunds, `SELECT id::text, transaction_id, state, client_code, (amount_minor / 100.0)::numeric(12, 2)::text,
			currency, test_mode, coalesce(gateway, ''), coalesce(extract(epoch FROM settled_at - created_at), 0)::float8 FROM refund ORDER BY id`),
		readRows(ctx, conn, &b.receipts, "SELECT transaction_id, merchant_mail FROM receipt ORDER BY transaction_id"),
		readRows(ctx, conn, &b.disputes, "SELECT transaction_id, state FROM dispute ORDER BY transaction_id"),
		readRows(ctx, conn, &b.events, "SELECT kind, about, count(*)::int FROM client_event GROUP BY kind, about ORDER BY kind, about"),
		conn.QueryRow(ctx, "SELECT count(*) FROM discrepancy").Scan(&b.discrepancies),
	)
}

func readRows[T any](ctx context.Context, conn *pgx.Conn, into *[]T, query string) error {
	rows, err := conn.Query(ctx, query)
	if err != nil {
		return err
	}
	*into, err = pgx.CollectRows(rows, pgx.RowToStructByPos[T])
	return err
}

// readBooks reads both sides once nothing is open any more, or after limit. It reads them directly, not over the wires.
func (w *world) readBooks(ctx context.Context, limit time.Duration) (books, error) {
	conn, err := w.connect(ctx)
	if err != nil {
		return books{}, err
	}
	defer func() { _ = conn.Close(ctx) }()
	return readBooks(ctx, conn, w.gateways, limit)
}

func readBooks(ctx context.Context, conn *pgx.Conn, gateways []*gateway, limit time.Duration) (books, error) {
	for end := time.Now().Add(limit); time.Now().Before(end) && ctx.Err() == nil; {
		if n, err := undecided(ctx, conn); err != nil || n == 0 {
			break
		}
		pause(ctx, 200*time.Millisecond)
	}
	var b books
	for _, g := range gateways {
		entries, err := g.ledger(ctx, "capture,refund")
		if err != nil {
			return b, err
		}
		for _, e := range entries {
			if e.Kind == "refund" {
				b.back = append(b.back, e.capture)
			} else {
				b.ledger = append(b.ledger, e.capture)
			}
		}
	}
	return b, readDatabase(ctx, conn, &b)
}
