package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"
)

// steadySetting is an environment variable that shortens the steady orders. They last ten minutes by default, enough for a few of
// PostgreSQL's checkpoints.
const (
	steadySetting = "BENCH_STEADY"
	steadyTime    = 10 * time.Minute
)

// steady measures orders, 16 at once, on the built-in database, long enough for checkpoints to count.
func (b *bench) steady(ctx context.Context) (err error) {
	duration := steadyTime
	if text := os.Getenv(steadySetting); text != "" {
		if duration, err = time.ParseDuration(text); err != nil {
			return fmt.Errorf("%s: %w", steadySetting, err)
		}
	}
	p, err := b.serve(ctx, "data")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	c, err := newCustomer(ctx, p.url)
	if err != nil {
		return err
	}
	defer c.client.CloseIdleConnections()
	var mu sync.Mutex
	var taken []time.Duration
	rate, err := crowd(ctx, duration, make([]struct{}, connections), func(struct{}) error {
		start := time.Now()
		_, err := c.order(ctx)
		mu.Lock()
		defer mu.Unlock()
		taken = append(taken, time.Since(start))
		return err
	})
	if err != nil {
		return err
	}
	b.section(fmt.Sprintf("Orders, 16 at once for %s, with the built-in database", duration))
	b.known("orders", rate, perSecond)
	b.atMost("slowest of a hundred (p99)", percentile99(taken), 50, milliseconds)
	b.known("slowest", ms(slices.Max(taken)), milliseconds)
	return nil
}
