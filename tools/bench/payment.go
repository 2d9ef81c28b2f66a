package main

import (
	"context"
	"crypto/rand"
	"errors"
	"path/filepath"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
)

// reads is a transaction that a bare handler reads with the payment page's own statements before it answers.
type reads struct{ DSN, Client, ID string }

// asked holds the bare handler's connections, by database.
type asked map[string]*pgxpool.Pool

func (a asked) open(ctx context.Context, answers map[string]answer) error {
	for _, one := range answers {
		if one.Reads == nil || a[one.Reads.DSN] != nil {
			continue
		}
		pool, err := pgxpool.New(ctx, one.Reads.DSN)
		if err != nil {
			return err
		}
		a[one.Reads.DSN] = pool
	}
	return nil
}

func (a asked) close() {
	for _, pool := range a {
		pool.Close()
	}
}

func (a asked) ask(ctx context.Context, r reads) error {
	queries := db.New(a[r.DSN])
	if _, err := queries.TransactionGet(ctx, r.ID, r.Client); err != nil {
		return err
	}
	_, err := queries.OrderLineList(ctx, r.ID, r.Client)
	return err
}

// onPayment measures the payment page on a database of its own.
func (b *bench) onPayment(ctx context.Context) error {
	return withMarket(ctx, filepath.Join(b.folder, "market"), nil, func(m *market) (err error) {
		s, err := b.openShop(ctx, m, "payment", nil)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.stop()) }()
		c, err := newCaller(ctx, s.url)
		if err != nil {
			return err
		}
		return errors.Join(b.paymentRate(ctx, s, c), c.conn.Close())
	})
}

// paymentRate compares the payment page with a bare handler that runs the same statements on pgx and writes the same bytes. The two take
// turns; each figure is the median of the rounds.
func (b *bench) paymentRate(ctx context.Context, s *shop, c *caller) (err error) {
	id, err := s.order(c, rand.Text())
	if err != nil {
		return err
	}
	path := "/pos/panezski/" + id
	page, err := record(ctx, s.url+path)
	if err != nil {
		return err
	}
	page.Reads = &reads{DSN: s.dsn, Client: "panezski", ID: id}
	bare, err := b.bare(ctx, map[string]answer{path: page})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bare.stop()) }()
	conn, err := pgx.Connect(ctx, s.dsn)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	var ours, theirs queried
	for _, side := range []*process{s.process, bare} {
		if _, err := hammer(ctx, side.url, path, roundTime/2); err != nil {
			return err
		}
	}
	for range rounds {
		if err := errors.Join(theirs.round(ctx, bare, conn, path), ours.round(ctx, s.process, conn, path)); err != nil {
			return err
		}
	}
	b.section("Payment page under load: brotli, 16 connections kept open, beside a bare handler with the same statements and bytes")
	b.known("requests, bare handler", median(theirs.perSecond), perSecond)
	b.known("requests, payment page", median(ours.perSecond), perSecond)
	b.atLeast("requests, share of the bare handler's", median(ours.perSecond)/median(theirs.perSecond), 0.6, times)
	b.known("processor time of a request, bare handler", median(theirs.processor), microseconds)
	b.known("processor time of a request, payment page", median(ours.processor), microseconds)
	b.known("the same and PostgreSQL's, bare handler", median(theirs.all), microseconds)
	b.known("the same and PostgreSQL's, payment page", median(ours.all), microseconds)
	b.atLeast("bare handler's processor time, of the page's, with PostgreSQL's", median(theirs.all)/median(ours.all), 0.6, times)
	return nil
}

// queried is the speed of a side that queries PostgreSQL. all is the processor time of both per request, in microseconds.
type queried struct {
	speed
	all []float64
}

func (q *queried) round(ctx context.Context, p *process, conn *pgx.Conn, path string) error {
	before, err := readBackends(ctx, conn)
	if err != nil {
		return err
	}
	requests, err := q.speed.round(ctx, p, path)
	if err != nil {
		return err
	}
	after, err := readBackends(ctx, conn)
	if err != nil {
		return err
	}
	q.all = append(q.all, q.processor[len(q.processor)-1]+1000*ms(after.since(before))/requests)
	return nil
}
