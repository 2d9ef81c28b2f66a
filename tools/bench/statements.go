package main

import (
	"context"
	"crypto/md5" //nolint:gosec // for the ids of past.sql's rows
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/payment"
)

// statementRounds is how often each statement runs; the first tenth warms up.
const statementRounds = 200

// book is a database whose statements are measured one by one.
type book struct {
	*shop
	caller  *caller
	conn    *pgx.Conn
	queries *db.Queries
	count   int                        // number of its past transactions
	taken   map[string][]time.Duration // by statement
	last    string                     // the transaction paid last
}

// statements measures each statement of payments, pages and upkeep, on an empty table and over the past. The two
// take turns.
func (b *bench) statements(ctx context.Context, young, old *shop, count int) (err error) {
	var books []*book
	for _, one := range []*book{{shop: young}, {shop: old, count: count}} {
		if err := one.open(ctx); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, one.close(ctx)) }()
		books = append(books, one)
	}
	for i := range statementRounds {
		for _, one := range books {
			if i == statementRounds/10 {
				clear(one.taken)
			}
			if err := one.purchase(ctx); err != nil {
				return err
			}
		}
	}
	b.section(fmt.Sprintf("Statements over %d past transactions: half of them, 99 of 100, and the half against the empty table", count))
	for _, name := range statementNames {
		before, after := books[0].taken[name], books[1].taken[name]
		fmt.Fprintf(b.out, "  %-46s %9.2f ms %9.2f ms %9.2f×\n", name, middle(after), percentile99(after), middle(after)/middle(before))
	}
	return books[1].sizes(ctx, b.report)
}

// statementNames are in the order of printing.
var statementNames = []string{
	"menu", "limits", "claim", "settle with receipt", "order page", "an old order's page", "an old receipt", "kitchen: open lines",
	"kitchen: done lately", "kitchen: older than a day", "kitchen: done", "sweep", "expiry", "figures and alerts", "daily comparison: two days",
}

func (o *book) open(ctx context.Context) (err error) {
	o.taken = map[string][]time.Duration{}
	if o.caller, err = newCaller(ctx, o.url); err != nil {
		return err
	}
	if o.conn, err = pgx.Connect(ctx, o.dsn); err != nil {
		return errors.Join(err, o.caller.conn.Close())
	}
	o.queries = db.New(o.conn)
	return nil
}

func (o *book) close(ctx context.Context) error {
	return errors.Join(o.caller.conn.Close(), o.conn.Close(context.WithoutCancel(ctx)))
}

// purchase orders over HTTP, then pays and reads everything with the program's own statements.
func (o *book) purchase(ctx context.Context) error {
	const client = "panezski"
	id, err := o.order(o.caller, rand.Text())
	if err != nil {
		return err
	}
	attempt, past := uuid.New(), o.past(id)
	address := []byte(id)
	for _, s := range []struct {
		name string
		do   func() error
	}{
		{"menu", func() error { return second(o.queries.ItemListByClient(ctx, client)) }},
		{"limits", func() error { // which count a live payment before its claim
			_, err := o.queries.LimitKeyGet(ctx, id, client)
			if errors.Is(err, pgx.ErrNoRows) {
				err = o.queries.LimitKeyMake(ctx, address)
			}
			return errors.Join(err, second(o.queries.LimitCount(ctx, db.LimitCountParams{
				ID: attempt, ClientCode: client, Address: address, Card: 7, LimitWindow: payment.LimitWindow, CardLimit: 5, AddressLimit: 5, MerchantLimit: 20,
			})))
		}},
		{"claim", func() error {
			return second(o.queries.AttemptClaim(ctx, db.AttemptClaimParams{
				TransactionID: id, ClientCode: client, ID: attempt, Method: state.Card, FormKey: id, LeaseSeconds: 15, CardBrand: "visa",
				CardLastFour: "1111", CardExpiry: "12/99", PayerName: "Ann Bench",
				TransactionLimit: 5, LimitWindow: payment.LimitWindow,
			}))
		}},
		{"settle with receipt", func() error { return o.settle(ctx, attempt) }},
		{"order page", func() error { return o.page(ctx, id) }},
		{"an old order's page", func() error { return o.page(ctx, past) }},
		{"an old receipt", func() error {
			_, err := o.queries.ReceiptGet(ctx, past)
			if errors.Is(err, pgx.ErrNoRows) { // a declined payment has no receipt
				return nil
			}
			return err
		}},
		{"kitchen: open lines", func() error { return second(o.queries.KitchenOpenList(ctx, 100, client)) }},
		{"kitchen: done lately", func() error { return second(o.queries.KitchenDoneList(ctx, client, 40)) }},
		{"kitchen: older than a day", func() error { return second(o.queries.KitchenStaleCount(ctx, client, 100)) }},
		{"kitchen: done", func() error {
			for _, l := range o.lines {
				if _, err := o.queries.KitchenDone(ctx, id, client, l.loc); err != nil {
					return err
				}
			}
			return o.queries.KitchenSettle(ctx, id, client)
		}},
		{"sweep", func() error { return second(o.queries.AttemptLease(ctx, 15, []string{""}, 10)) }},
		{"expiry", func() error { return second(o.queries.TransactionExpire(ctx, 5000)) }},
		{"figures and alerts", func() error { return second(o.queries.AttemptWatch(ctx)) }},
		{"daily comparison: two days", func() error {
			since, before := time.Now().Add(-72*time.Hour), time.Now().Add(-24*time.Hour)
			return second(o.queries.MovementListSettled(ctx, &since, &before))
		}},
	} {
		start := time.Now()
		if err := s.do(); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		o.taken[s.name] = append(o.taken[s.name], time.Since(start))
	}
	o.last = id
	return nil
}

func (o *book) settle(ctx context.Context, attempt uuid.UUID) error {
	return pgx.BeginFunc(ctx, o.conn, func(tx pgx.Tx) error {
		queries := db.New(tx)
		rows, err := queries.AttemptApprove(ctx, db.AttemptApproveParams{ID: attempt, Transactionid: attempt.String(), Code: "00"})
		if err == nil && rows != 1 {
			err = errors.New("nothing was settled")
		}
		return errors.Join(err, second(queries.ReceiptMake(ctx, attempt, rand.Text()+rand.Text(), "LAT*panezski")))
	})
}

func (o *book) page(ctx context.Context, id string) error {
	return errors.Join(second(o.queries.TransactionGet(ctx, id, "panezski")), second(o.queries.OrderLineList(ctx, id, "panezski")))
}

// past returns any transaction of the past or, without one, the transaction before id.
func (o *book) past(id string) string {
	switch {
	case o.count > 0:
		sum := md5.Sum([]byte(strconv.Itoa(mathrand.IntN(o.count) + 1))) //nolint:gosec // as above
		return hex.EncodeToString(sum[:])[:26]
	case o.last != "":
		return o.last
	}
	return id
}

// sizes prints the size of the past on disk.
func (o *book) sizes(ctx context.Context, r *report) error {
	r.section("On the disk")
	for _, table := range []string{"transaction", "attempt", "order_line", "receipt"} {
		var rows, heap, indexes float64
		err := o.conn.QueryRow(ctx, `SELECT reltuples::float8, pg_table_size(oid)::float8, pg_indexes_size(oid)::float8
			FROM pg_class WHERE oid = $1::text::regclass`, table).Scan(&rows, &heap, &indexes)
		if err != nil {
			return err
		}
		fmt.Fprintf(r.out, "  %-20s %11.0f rows %9.0f MB and %6.0f MB of indexes %7.0f B a row\n", table, rows, heap/1e6, indexes/1e6, (heap+indexes)/rows)
	}
	return nil
}

func second[T any](_ T, err error) error { return err }

// middle returns the median of at least one duration, in milliseconds.
func middle(durations []time.Duration) float64 {
	return ms(slices.Sorted(slices.Values(durations))[len(durations)/2])
}
