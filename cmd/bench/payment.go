package main

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
)

// reads is a transaction that a bare handler reads with the payment page's own statements before it answers.
type reads struct{ DSN, Client, ID string }

// asked are the bare handler's connections, by database.
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
	var ours, theirs speed
	for _, side := range []*process{s.process, bare} {
		if _, err := hammer(ctx, side.url, path, roundTime/2); err != nil {
			return err
		}
	}
	for range rounds {
		if err := errors.Join(theirs.round(ctx, bare, path), ours.round(ctx, s.process, path)); err != nil {
			return err
		}
	}
	b.section("Payment page under load: brotli, 16 connections kept open, beside a bare handler with the same statements and bytes")
	b.known("requests, bare handler", median(theirs.perSecond), perSecond)
	b.known("requests, payment page", median(ours.perSecond), perSecond)
	b.atLeast("requests, share of the bare handler's", median(ours.perSecond)/median(theirs.perSecond), 0.6, times)
	b.known("processor time of a request, bare handler", median(theirs.processor), microseconds)
	b.known("processor time of a request, payment page", median(ours.processor), microseconds)
	return nil
}
