package main

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"
)

// memory measures the program's own memory (PSS), without PostgreSQL's processes: a few seconds after a start, and at its peak while it serves menus
// and takes orders and payments as fast as possible.
func (b *bench) memory(ctx context.Context, p *process) error {
	unpacked, err := b.memoryAfterUnpacking(ctx)
	if err != nil {
		return err
	}
	idle, err := p.memoryShare()
	if err != nil {
		return err
	}
	loaded, err := memoryUnderLoad(ctx, p)
	if err != nil {
		return err
	}
	b.section("Memory (PSS), without PostgreSQL")
	b.atMost("idle, after the first start, which unpacks PostgreSQL", unpacked, 40, megabytes)
	b.atMost("idle, after a later start", idle, 40, megabytes)
	b.atMost("while menus are read and orders paid, at most", loaded, 90, megabytes)
	return nil
}

func (b *bench) memoryAfterUnpacking(ctx context.Context) (share float64, err error) {
	p, err := b.serve(ctx, "fresh")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	if err := wait(ctx, 3*time.Second); err != nil {
		return 0, err
	}
	return p.memoryShare()
}

func memoryUnderLoad(ctx context.Context, p *process) (float64, error) {
	const duration = 5 * time.Second
	c, err := newCustomer(ctx, p.url)
	if err != nil {
		return 0, err
	}
	defer c.client.CloseIdleConnections()
	most := 0.0
	end := time.Now().Add(duration)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		_, err := hammer(ctx, p.url, menuPath, duration)
		return err
	})
	group.Go(func() error {
		for time.Now().Before(end) {
			if _, err := c.rush(ctx, 1); err != nil {
				return err
			}
		}
		return nil
	})
	group.Go(func() error {
		for time.Now().Before(end) {
			now, err := p.memoryShare()
			if err != nil {
				return err
			}
			most = max(most, now)
			if err := wait(ctx, 100*time.Millisecond); err != nil {
				return err
			}
		}
		return nil
	})
	return most, group.Wait()
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
