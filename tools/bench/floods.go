package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"forecourt/db/embedded"
)

const (
	calmPayers  = 8                       // customers who pay one order after another
	payersPause = 50 * time.Millisecond   // a customer's pause between two payments
	floodTurn   = 5 * time.Second         // how long payments are measured, with and without a flood
	floodRise   = 1500 * time.Millisecond // how long a flood runs before payments are measured
	floodRounds = 3
)

// floods measures, in turn, how long a payment takes without a flood and while one address floods the program. The floods come from this process,
// on the same processors, so their rates are limited. The figures show how the program defends itself, not how fast the machine is.
func (b *bench) floods(ctx context.Context) (err error) {
	address, stop, err := startAcquirer(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	// A flood comes from many addresses.
	p, err := b.serve(ctx, "floods", "GATEWAY_URL="+address, "GATEWAY_KEY=bench", "FORECOURT_DEMO=on", "TRUSTED_PROXIES=127.0.0.1", "LOG_LEVEL=error")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	bought, err := purchaseOf(ctx, b.folder+"/floods")
	if err != nil {
		return err
	}
	callers, err := newCallers(ctx, p.url, calmPayers)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, hangUp(callers)) }()
	id, err := bought.order(callers[0], rand.Text())
	if err != nil {
		return err
	}
	if err := bought.pay(callers[0], id, rand.Text()); err != nil {
		return err
	}
	pay := func() (float64, error) { return payCalmly(ctx, bought, callers, floodTurn) }
	if _, err := pay(); err != nil { // warms up
		return err
	}
	b.section("Payments while somebody floods the program, p99 beside p99 in peace")
	for _, f := range floodsOn(strings.TrimPrefix(p.url, "http://"), id) {
		var calm, flooded []float64
		for range floodRounds {
			quiet, err := pay()
			if err != nil {
				return err
			}
			loud, err := during(ctx, f.run, pay)
			if err != nil {
				return fmt.Errorf("%s: %w", f.name, err)
			}
			calm, flooded = append(calm, quiet), append(flooded, loud)
		}
		b.known("in peace", median(calm), milliseconds)
		b.atMost(f.name, median(flooded)/median(calm), 2, times)
	}
	return nil
}

// purchaseOf reads the purchase from the database inside the served data folder.
func purchaseOf(ctx context.Context, folder string) (p *purchase, err error) {
	dsn, err := embedded.Attach(folder, embedded.Database)
	if err != nil {
		return nil, err
	}
	err = onceConnected(ctx, dsn, func(conn *pgx.Conn) error {
		p, err = readPurchase(ctx, conn)
		return err
	})
	return p, err
}

// during measures while a flood runs, and waits for its end.
func during(ctx context.Context, flood func(context.Context) error, measure func() (float64, error)) (float64, error) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	flooding := make(chan error, 1)
	go func() { flooding <- flood(ctx) }()
	if err := wait(ctx, floodRise); err != nil {
		return 0, err
	}
	figure, err := measure()
	end()
	return figure, errors.Join(err, <-flooding)
}

// payCalmly has customers order and pay with pauses, and returns the p99 of paying in milliseconds.
func payCalmly(ctx context.Context, bought *purchase, callers []*caller, duration time.Duration) (float64, error) {
	taken := make([][]time.Duration, len(callers))
	end := time.Now().Add(duration)
	group, ctx := errgroup.WithContext(ctx)
	for i, c := range callers {
		group.Go(func() error {
			for time.Now().Before(end) {
				id, err := bought.order(c, rand.Text())
				if err != nil {
					return err
				}
				start := time.Now()
				if err := bought.pay(c, id, rand.Text()); err != nil {
					return err
				}
				taken[i] = append(taken[i], time.Since(start))
				if err := wait(ctx, payersPause); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return 0, err
	}
	var all []time.Duration
	for _, one := range taken {
		all = append(all, one...)
	}
	return percentile99(all), nil
}
