package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/clock"
	rules "forecourt/internal/shop"
	"forecourt/internal/shop/shopbooks"
)

// books measures exports of a shop's whole past, the closing of its last month and a monthly statement, without HTTP.
func (b *bench) books(ctx context.Context, old *shop) error {
	pool, err := db.Open(ctx, old.dsn, 2)
	if err != nil {
		return err
	}
	defer pool.Close()
	books, err := shopbooks.New(pool, nil, nil, nil)
	if err != nil {
		return err
	}
	one := rules.Shop{Code: "panezski", Live: true, TimeZone: clock.Home, Currency: "AUD"}
	b.section("Exports of the books of a business with a long past")
	now := time.Now()
	for _, kind := range []rules.ExportKind{rules.ExportPayments, rules.ExportLines} {
		out := &counted{}
		begun := time.Now()
		err := books.Write(ctx, kind, rules.Span{Client: one.Code, Since: now.AddDate(-4, 0, 0), Before: now, Zone: one.Zone()}, out)
		if err != nil {
			return fmt.Errorf("exporting %s: %w", kind, err)
		}
		took := time.Since(begun).Seconds()
		b.known(string(kind)+" of four years", took, seconds)
		b.known("  its size", float64(out.bytes)/1e6, megabytes)
		b.known("  memory beyond what was held before", float64(out.peak)/1e6, megabytes)
	}
	begun := time.Now()
	if _, err := books.Statement(ctx, one, false, now.AddDate(0, -1, 0)); err != nil {
		return err
	}
	b.known("a month's statement", float64(time.Since(begun).Microseconds())/1000, milliseconds)
	return b.firstClosing(ctx, old, now)
}

// firstClosing measures how long a shop's first closing takes to count a month.
func (b *bench) firstClosing(ctx context.Context, old *shop, now time.Time) error {
	return onceConnected(ctx, old.dsn, func(conn *pgx.Conn) error {
		tx, err := conn.Begin(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback(ctx) }() // nothing is closed
		begun := time.Now()
		_, err = db.New(tx).ClosingTake(ctx, db.ClosingTakeParams{
			ClientCode: "panezski", Reach: now.AddDate(0, 0, -31), Since: now.AddDate(0, 0, -31), UntilAt: now, Edge: now.AddDate(0, 0, -1), No: 1,
		})
		b.known("counting 31 days for a closing", float64(time.Since(begun).Microseconds())/1000, milliseconds)
		return err
	})
}

// counted discards what is written to it. It counts the bytes and notes the largest heap.
type counted struct {
	bytes       int
	first, peak uint64
}

func (c *counted) Write(page []byte) (int, error) {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	if c.first == 0 {
		c.first = stats.HeapAlloc
	}
	c.peak = max(c.peak, max(stats.HeapAlloc, c.first)-c.first)
	c.bytes += len(page)
	return len(page), nil
}
