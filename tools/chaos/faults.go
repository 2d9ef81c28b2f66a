package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// faults is what goes wrong during a run, one after the other, spread over its payments.
type faults struct {
	list    []cut
	done    map[string]int
	lastEnd time.Time
}

// plan puts kills and cuts in a random order. The kinds of cuts take turns.
func plan(o options, w *world, k *keeper, r *rand.Rand) *faults {
	f := &faults{done: map[string]int{}}
	for range o.kills {
		f.list = append(f.list, cut{"kill", k.kill})
	}
	for range o.databaseKills {
		f.list = append(f.list, cut{"database kill", w.database.kill})
	}
	kinds := w.network.cuts()
	offset := r.IntN(len(kinds))
	for i := range o.cuts {
		f.list = append(f.list, kinds[(i+offset)%len(kinds)])
	}
	r.Shuffle(len(f.list), func(i, j int) { f.list[i], f.list[j] = f.list[j], f.list[i] })
	return f
}

// strike lets each happen while its share of the payments is under way; started tells how many of them are. The next
// share may start when it is over.
func (f *faults) strike(ctx context.Context, shares chan<- struct{}, started func() int, share int) error {
	defer close(shares)
	for i, fault := range f.list {
		select {
		case shares <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
		for started() < i*share+share/4 && ctx.Err() == nil {
			pause(ctx, time.Millisecond)
		}
		if err := fault.do(ctx); err != nil {
			return errors.Join(ctx.Err(), fmt.Errorf("%s: %w", fault.name, err))
		}
		f.done[fault.name]++
		f.lastEnd = time.Now()
	}
	return nil
}

// counts tells how many of each group happened.
func (f *faults) counts() (kills, databaseKills, cuts int) {
	for name, n := range f.done {
		switch name {
		case "kill":
			kills += n
		case "database kill":
			databaseKills += n
		default:
			cuts += n
		}
	}
	return kills, databaseKills, cuts
}
