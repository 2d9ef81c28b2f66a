package main

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"
)

// settling is how long after its start a program may still clear up; idling is for how long it is then watched. The runtime collects an
// idle heap every two minutes.
const (
	settling = 3 * time.Second
	idling   = 3 * time.Minute
)

// memory measures the program's own memory (PSS), without PostgreSQL's processes: a few seconds after a later start, and at its peak while
// menus are read and orders paid as fast as possible.
func (b *bench) memory(ctx context.Context, p *process) error {
	if err := wait(ctx, settling); err != nil {
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
	b.atMost("idle, after a later start", idle, 40, megabytes)
	b.atMost("while menus are read and orders paid, at most", loaded, 90, megabytes)
	return nil
}

// memoryAfterUnpacking measures it in the minutes after the first start, which unpacks PostgreSQL. No other process of the program may run:
// it would share the pages of their file.
func (b *bench) memoryAfterUnpacking(ctx context.Context) (err error) {
	p, err := b.serve(ctx, "fresh")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	if err := wait(ctx, settling); err != nil {
		return err
	}
	most, err := p.mostMemory(ctx, idling, memoryEvery)
	if err == nil {
		b.section("Memory (PSS) after the first start, without PostgreSQL")
		b.atMost("idle for 3 minutes, at most", most, 40, megabytes)
	}
	return err
}

// mostMemory returns the largest share of memory that a process has within a time, of shares read at an interval.
func (p *process) mostMemory(ctx context.Context, within, every time.Duration) (most float64, err error) {
	for end := time.Now().Add(within); time.Now().Before(end); {
		now, err := p.memoryShare()
		if err != nil {
			return 0, err
		}
		most = max(most, now)
		if err := wait(ctx, every); err != nil {
			return 0, err
		}
	}
	return most, nil
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
	group.Go(func() (err error) {
		most, err = p.mostMemory(ctx, duration, 100*time.Millisecond)
		return err
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
