package main

import (
	"context"
	"crypto/rand"
	"errors"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"
)

// turnTime is long enough for pgbench, which counts whole seconds, to run at full speed for most of it.
const turnTime = 4 * time.Second

// payments measures orders and payments per second, compared with plain statements on the same database, all of them durable. Then it measures the
// cost of a long past.
func (b *bench) payments(ctx context.Context) error {
	return withMarket(ctx, filepath.Join(b.folder, "market"), nil, func(m *market) error {
		if err := b.throughput(ctx, m); err != nil {
			return err
		}
		return b.past(ctx, m, aMillion)
	})
}

func (b *bench) throughput(ctx context.Context, m *market) (err error) {
	s, err := b.openShop(ctx, m, "throughput", nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	callers, err := newCallers(ctx, s.url, connections)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, hangUp(callers)) }()
	conns, err := connect(ctx, s.dsn, connections)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, disconnect(ctx, conns)) }()
	if err := b.orderRate(ctx, s, callers, conns); err != nil {
		return err
	}
	if err := b.paymentRate(ctx, s, callers[0]); err != nil {
		return err
	}
	return b.purchaseRate(ctx, s, callers, conns)
}

// orderRate compares orders over HTTP with pgbench or, where that is missing, with a loop of the same statements.
func (b *bench) orderRate(ctx context.Context, s *shop, callers []*caller, conns []*pgx.Conn) error {
	name := "pgbench -M prepared"
	program, script := findPgbench(), filepath.Join(b.folder, "order.sql")
	if err := writeScript(script, s.orderStatements(scriptID)); err != nil {
		return err
	}
	plain := func() (float64, error) { return pgbench(ctx, program, s.dsn, script, turnTime) }
	if program == "" {
		name = "a pgx loop (pgbench is not installed)"
		plain = func() (float64, error) {
			return crowd(ctx, turnTime, conns, func(conn *pgx.Conn) error { return s.plainOrder(ctx, conn) })
		}
	}
	r, err := turns(plain, func() (float64, error) {
		return crowd(ctx, turnTime, callers, func(c *caller) error {
			_, err := s.order(c, rand.Text())
			return err
		})
	})
	if err != nil {
		return err
	}
	b.section("Orders of three lines, 16 at once, beside the same rows by one statement at a time, durable, over TCP")
	b.known("orders, "+name, r.plain, perSecond)
	b.known("orders over HTTP", r.program, perSecond)
	b.atLeast("orders over HTTP, share of the other's", r.share, 1, times)
	return nil
}

// purchaseRate compares paid orders over HTTP with a loop that writes the same rows in the same three commits.
func (b *bench) purchaseRate(ctx context.Context, s *shop, callers []*caller, conns []*pgx.Conn) error {
	r, err := turns(
		func() (float64, error) {
			return crowd(ctx, turnTime, conns, func(conn *pgx.Conn) error { return s.plainPurchase(ctx, conn) })
		},
		func() (float64, error) {
			return crowd(ctx, turnTime, callers, func(c *caller) error {
				id, err := s.order(c, rand.Text())
				if err != nil {
					return err
				}
				return s.pay(c, id, rand.Text())
			})
		},
	)
	if err != nil {
		return err
	}
	b.section("Order and payment, 16 at once, with a gateway that answers at once, beside a pgx loop with the same three commits")
	b.known("orders paid, pgx loop, which asks no gateway", r.plain, perSecond)
	b.known("orders paid over HTTP", r.program, perSecond)
	b.atLeast("orders paid over HTTP, share of the loop's", r.share, 0.6, times)
	return nil
}

// rates are the two sides' work per second, and the program's share of the other's.
type rates struct{ program, plain, share float64 }

// turns has two sides take turns, so that other load on the machine hits both, and returns the medians over the turns. A first turn of
// each warms up and does not count. After that the sides also alternate in going first.
func turns(plain, program func() (float64, error)) (rates, error) {
	var ours, theirs, shares []float64
	for i := range rounds + 1 {
		var measured [2]float64
		for k := range measured {
			side, which := plain, (i+k)%2
			if which == 1 {
				side = program
			}
			var err error
			if measured[which], err = side(); err != nil {
				return rates{}, err
			}
		}
		if i > 0 {
			theirs, ours = append(theirs, measured[0]), append(ours, measured[1])
			shares = append(shares, measured[1]/measured[0])
		}
	}
	return rates{program: median(ours), plain: median(theirs), share: median(shares)}, nil
}

// crowd makes everybody do the same thing at once, again and again for a given time, and returns the rate per second.
func crowd[T any](ctx context.Context, duration time.Duration, people []T, do func(T) error) (float64, error) {
	var done atomic.Int64
	start := time.Now()
	group, ctx := errgroup.WithContext(ctx)
	for _, person := range people {
		group.Go(func() error {
			for time.Since(start) < duration && ctx.Err() == nil {
				if err := do(person); err != nil {
					return err
				}
				done.Add(1)
			}
			return ctx.Err()
		})
	}
	err := group.Wait()
	return float64(done.Load()) / time.Since(start).Seconds(), err
}
