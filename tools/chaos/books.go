package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db/embedded"
)

// capture is a charge in the gateway's ledger, or a refund.
type capture struct {
	Kind, Reference, TrxID, TransactionID, Amount, Currency string
	Arrivals                                                int
}

// attempt and transaction are rows of the database; amounts are worded as in the ledger.
type attempt struct {
	ID, TrxID, State, TransactionID, Amount, Currency string
	Seconds                                           float64 // until it was settled
	Checks                                            int     // by the sweep
}

type transaction struct {
	ID, Status, Approved, TransactionID, Amount, Refunded string
}

type refund struct {
	ID, TrxID, State, Amount, Currency string
	Seconds                            float64 // until it was settled
}

// receipt is a receipt and its business's address.
type receipt struct{ TrxID, Merchant string }

// books are both sides of the money.
type books struct {
	ledger, back  []capture // charges and refunds
	attempts      []attempt
	transactions  []transaction
	refunds       []refund
	receipts      []receipt
	discrepancies int
}

// readLedger reads the gateway's ledger directly, page by page.
func readLedger(ctx context.Context, gateway string) ([]capture, error) {
	var all []capture
	for cursor := ""; ; {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, gateway+"/ledger?"+url.Values{"cursor": {cursor}}.Encode(), nil)
		if err != nil {
			return nil, err
		}
		req.Header.Set("Authorization", "Bearer "+gatewayKey)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return nil, err
		}
		var page struct {
			Entries []capture
			Next    string
		}
		err = errors.Join(json.NewDecoder(res.Body).Decode(&page), res.Body.Close())
		if err != nil || res.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("ledger: HTTP %d, %w", res.StatusCode, err)
		}
		all = append(all, page.Entries...)
		if cursor = page.Next; cursor == "" {
			return all, nil
		}
	}
}

// undecided counts what is not decided.
func undecided(ctx context.Context, conn *pgx.Conn) (n int, err error) {
	err = conn.QueryRow(ctx, `SELECT (SELECT count(*) FROM attempt WHERE state IN ('submitting', 'redirected', 'unknown'))
		+ (SELECT count(*) FROM refund WHERE state IN ('open', 'pending', 'manual'))`).Scan(&n)
	return n, err
}

func readDatabase(ctx context.Context, conn *pgx.Conn, b *books) error {
	return errors.Join(
		readRows(ctx, conn, &b.attempts, `SELECT id::text, transaction_id, state, coalesce(transactionid, ''),
			(amount_minor / 100.0)::numeric(12, 2)::text, currency,
			coalesce(extract(epoch FROM settled_at - created_at), 0)::float8, checks FROM attempt ORDER BY id`),
		readRows(ctx, conn, &b.transactions, `SELECT id, status, coalesce(approved_attempt::text, ''), transactionid,
			(amount_minor / 100.0)::numeric(12, 2)::text, (refunded_minor / 100.0)::numeric(12, 2)::text
			FROM transaction ORDER BY id`),
		readRows(ctx, conn, &b.refunds, `SELECT id::text, transaction_id, state, (amount_minor / 100.0)::numeric(12, 2)::text,
			currency, coalesce(extract(epoch FROM settled_at - created_at), 0)::float8 FROM refund ORDER BY id`),
		readRows(ctx, conn, &b.receipts, "SELECT transaction_id, merchant_mail FROM receipt ORDER BY transaction_id"),
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

// readBooks reads both sides once nothing is open any more, or after limit. Neither way leads over the wires.
func (w *world) readBooks(ctx context.Context, limit time.Duration) (books, error) {
	conn, err := pgx.Connect(ctx, w.database.DSN(embedded.Database))
	if err != nil {
		return books{}, err
	}
	defer func() { _ = conn.Close(ctx) }()
	for end := time.Now().Add(limit); time.Now().Before(end) && ctx.Err() == nil; {
		if n, err := undecided(ctx, conn); err != nil || n == 0 {
			break
		}
		pause(ctx, 200*time.Millisecond)
	}
	var b books
	entries, err := readLedger(ctx, w.sandbox.url)
	if err != nil {
		return b, err
	}
	for _, e := range entries {
		if e.Kind == "refund" {
			b.back = append(b.back, e)
		} else {
			b.ledger = append(b.ledger, e)
		}
	}
	return b, readDatabase(ctx, conn, &b)
}
