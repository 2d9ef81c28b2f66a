package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// faults holds the failures of a run, one after another, spread over its payments.
type faults struct {
	list     []cut
	done     map[string]int
	lastEnd  time.Time
	promises []promise // the results
}

// plan puts kills and cuts in a random order. The kinds of cuts take turns. The last cuts come after the kills, because a letter that a
// kill interrupted is only retried after most of a minute, and the run would have to wait for that at the end.
func plan(o options, w *world, k *keeper, r *rand.Rand) *faults {
	f := &faults{done: map[string]int{}}
	for range o.kills {
		f.list = append(f.list, cut{"kill", k.kill})
	}
	for range o.databaseKills {
		f.list = append(f.list, cut{"database kill", w.database.kill})
	}
	kinds, early := w.network.cuts(), o.cuts*3/5
	offset := r.IntN(len(kinds))
	for i := range o.cuts {
		f.list = append(f.list, kinds[(i+offset)%len(kinds)])
	}
	mixed := f.list[:len(f.list)-o.cuts+early]
	r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	// Payers draw cards that take long only in the first half, so that something is open when the gateway changes.
	f.list = slices.Insert(f.list, len(f.list)*2/5, f.change(w, k)...)
	return f
}

// strike makes each fault happen while its share of the payments is under way. started returns how many have begun. The next
// share may start when the fault is over.
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

// counts returns how many of each group happened.
func (f *faults) counts() (kills, databaseKills, cuts int) {
	for name, n := range f.done {
		switch name {
		case "kill":
			kills += n
		case "database kill":
			databaseKills += n
		case "payout": // no fault
		default:
			cuts += n
		}
	}
	return kills, databaseKills, cuts
}
