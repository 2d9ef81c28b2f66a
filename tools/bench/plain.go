package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// statement is an SQL statement of a program that does one thing at a time.
type statement struct {
	text   string
	values []any
}

var (
	begin  = statement{text: "BEGIN"}
	commit = statement{text: "COMMIT"}
)

// orderStatements returns the statements that store an order as POST /api/pos does: the same rows and contents.
func (p *purchase) orderStatements(id string) []statement {
	var items []int64
	for _, l := range p.lines {
		items = append(items, l.id)
	}
	hash := sha256.Sum256([]byte("an order"))
	all := []statement{
		begin,
		{`SELECT id, name, price_minor, loc, picture FROM item
			WHERE client_code = $1 AND id = ANY ($2::bigint[]) AND available AND NOT sold_out`, []any{"panezski", items}},
		{`INSERT INTO transaction (id, client_code, amount_minor, currency, country_code, test_mode, source, table_name, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + interval '2 hours')`,
			[]any{id, "panezski", p.amount(), p.currency, p.country, p.test, "diy-pos", "4"}},
		{`INSERT INTO order_key (client_code, key, content_hash, transaction_id) VALUES ($1, $2, $3, $4)`,
			[]any{"panezski", id, hash[:], id}},
	}
	for i, l := range p.lines {
		all = append(all, statement{
			`INSERT INTO order_line (transaction_id, line_no, client_code, item_id, name, price_minor, qty, loc, picture)
				VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			[]any{id, int64(i + 1), "panezski", l.id, l.name, l.priceMinor, int64(1), l.loc, l.picture},
		})
	}
	return append(all, commit)
}

// claimStatements returns the statements that claim the order for one attempt.
func (p *purchase) claimStatements(id string, attempt uuid.UUID) []statement {
	return []statement{
		begin,
		{`SELECT amount_minor, currency, test_mode FROM transaction
			WHERE id = $1 AND client_code = $2 AND status = 'new' FOR UPDATE`, []any{id, "panezski"}},
		{`INSERT INTO attempt (id, transaction_id, client_code, amount_minor, currency, test_mode, method, form_key, lease_until,
				card_brand, card_last_four, card_expiry, payer_name)
			VALUES ($1, $2, $3, $4, $5, $6, 'card', $7, now() + interval '15 seconds', 'visa', '1111', '12/99', 'Ann Bench')`,
			[]any{attempt, id, "panezski", p.amount(), p.currency, p.test, id}},
		{`UPDATE transaction SET status = 'processing', error_msg = '' WHERE id = $1`, []any{id}},
		commit,
	}
}

// settleStatements returns the statements that record the gateway's approval.
func (p *purchase) settleStatements(id string, attempt uuid.UUID) []statement {
	return []statement{
		begin,
		{`SELECT status, approved_attempt FROM transaction WHERE id = $1 FOR UPDATE`, []any{id}},
		{`UPDATE attempt SET state = 'approved', settled_at = now(), transactionid = $2, code = '00', error_msg = ''
			WHERE id = $1 AND state = 'submitting'`, []any{attempt, attempt.String()}},
		{`UPDATE transaction SET status = 'success', approved_attempt = $2, paid_at = now(), transactionid = $3, code = '00',
			error_msg = '' WHERE id = $1`, []any{id, attempt, attempt.String()}},
		commit,
	}
}

// plainOrder and plainPurchase do what the program does over HTTP, with prepared statements on their own connection.
func (p *purchase) plainOrder(ctx context.Context, conn *pgx.Conn) error {
	return execute(ctx, conn, p.orderStatements(rand.Text()))
}

func (p *purchase) plainPurchase(ctx context.Context, conn *pgx.Conn) error {
	id, attempt := rand.Text(), uuid.New()
	return execute(ctx, conn, slices.Concat(
		p.orderStatements(id), p.claimStatements(id, attempt), p.settleStatements(id, attempt)))
}

func execute(ctx context.Context, conn *pgx.Conn, statements []statement) error {
	for _, s := range statements {
		if _, err := conn.Exec(ctx, s.text, s.values...); err != nil {
			return err
		}
	}
	return nil
}

// connect opens n connections at once.
func connect(ctx context.Context, dsn string, count int) ([]*pgx.Conn, error) {
	conns := make([]*pgx.Conn, 0, count)
	for range count {
		conn, err := pgx.Connect(ctx, dsn)
		if err != nil {
			return nil, errors.Join(err, disconnect(ctx, conns))
		}
		conns = append(conns, conn)
	}
	return conns, nil
}

func disconnect(ctx context.Context, conns []*pgx.Conn) error {
	var err error
	for _, conn := range conns {
		err = errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
	}
	return err
}
