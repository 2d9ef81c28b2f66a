package main

import (
	"context"
	"sync"
	"time"
)

// keeper keeps the program running, as a service manager does. It starts the program again whenever it ends.
type keeper struct {
	start func(context.Context) (*process, error)

	mu        sync.Mutex
	current   *process // nil while it is down
	up        chan struct{}
	unplanned int    // unexpected ends after the program listened
	words     string // about the last unexpected end
}

func newKeeper(start func(context.Context) (*process, error)) *keeper {
	return &keeper{start: start, up: make(chan struct{})}
}

// run ends with ctx, and ends the program.
func (k *keeper) run(ctx context.Context) {
	for ctx.Err() == nil {
		p, err := k.start(ctx)
		if err != nil { // the database may be down right now
			pause(ctx, 100*time.Millisecond)
			continue
		}
		k.mu.Lock()
		k.current = p
		close(k.up)
		k.mu.Unlock()
		select {
		case <-p.done:
		case <-ctx.Done():
			p.kill()
		}
		k.mu.Lock()
		k.current, k.up = nil, make(chan struct{})
		if !p.killed.Load() {
			k.unplanned++
			k.words = p.lastWords()
		}
		k.mu.Unlock()
	}
}

// await returns when the program is up.
func (k *keeper) await(ctx context.Context) error {
	k.mu.Lock()
	up := k.up
	k.mu.Unlock()
	select {
	case <-up:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// kill kills the program and returns when its successor is up.
func (k *keeper) kill(ctx context.Context) error {
	if err := k.await(ctx); err != nil {
		return err
	}
	k.mu.Lock()
	p := k.current
	k.mu.Unlock()
	if p != nil {
		p.kill()
	}
	for ctx.Err() == nil {
		k.mu.Lock()
		next := k.current
		k.mu.Unlock()
		if next != nil && next != p {
			return nil
		}
		pause(ctx, 20*time.Millisecond)
	}
	return ctx.Err()
}

// promise reports on the promise that the program never ends by itself.
func (k *keeper) promise() promise {
	k.mu.Lock()
	defer k.mu.Unlock()
	return promise{"ends", k.unplanned, "times that the program ended by itself " + k.words}
}

// pause waits for d, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
