package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"forecourt/tools/drive"
)

const (
	// lateCharge is how long the sandbox takes to charge chargedLate. Before that its ledger is not complete.
	lateCharge = 12 * time.Second
	// atOnce is how many payers there are at a time.
	atOnce = 64
	// rubbishShare is the share of rubbish among the gateway's answers.
	rubbishShare = 0.05
	// stuckAfter is how long an unknown outcome may stay unknown.
	stuckAfter = time.Minute
)

// load runs the program under many payers and faults, and the drill beside it.
func load(ctx context.Context, o options, dir string) error {
	if err := makeFolder(dir); err != nil {
		return err
	}
	binary, err := o.binary(ctx, dir)
	if err != nil {
		return err
	}
	o.program = binary
	drilled := make(chan error, 1)
	go func() { drilled <- drill(ctx, o, filepath.Join(dir, "drill")) }()
	broken, err := trial(ctx, o, dir, stuckAfter)
	if err == nil && len(broken) > 0 {
		err = errBroken
	}
	return errors.Join(err, <-drilled)
}

// trial has payers pay while faults strike, and returns the names of the broken promises. Whatever is open in the end may take until
// wait is over.
func trial(ctx context.Context, o options, dir string, wait time.Duration) (broken []string, err error) {
	if o.payments <= o.kills+o.databaseKills+o.cuts {
		return nil, errors.New("each fault needs a payment of its own")
	}
	began := time.Now()
	w, err := newWorld(ctx, dir, o.program, newFront(rubbishShare, o.seed))
	if err != nil {
		return nil, err
	}
	defer w.close()
	w.payouts = "payout"
	if err := w.serve(ctx); err != nil {
		return nil, err
	}
	if err := w.gateway.pages(ctx, max(o.payments/5, 20)); err != nil {
		return nil, err
	}
	if _, err := query[string](ctx, w, "UPDATE shop SET currency = 'USD' WHERE code = $1 RETURNING code", foreign); err != nil {
		return nil, err
	}
	b, back := w.browser(), newOffice(w.site, w.connect)
	told, done, err := crowd(ctx, o, w, b, back)
	if err != nil {
		return nil, err
	}
	paid := time.Since(began)
	drive.Pause(ctx, time.Until(time.Unix(w.lateAt.Load(), 0).Add(lateCharge+2*time.Second)))
	drive.Pause(ctx, delivery)
	if err := back.decide(ctx); err != nil {
		return nil, err
	}
	v, err := w.judge(ctx, told, back.heard, wait)
	if err != nil {
		return nil, err
	}
	v.promises = append(v.promises,
		promise{"ends", w.ended, "times that the program ended by itself"},
		promise{"answers", int(b.Mistakes.Load()), "answers with a server error other than 503"})
	fmt.Fprintf(o.out, "%s; %s; %d refund commands killed, %d malformed answers; %d payments in %.0f s of %.0f s; seed %d\n", v.slowest,
		strings.Join(done, ", "), back.killed, w.gateway.front.mangled, len(told), paid.Seconds(), time.Since(began).Seconds(), o.seed)
	return v.report(o.out), nil
}

// crowd has all customers pay while the faults strike. It returns what each was told, by transaction, and which faults happened how
// often.
func crowd(ctx context.Context, o options, w *world, b *drive.Browser, back *office) (told map[string]string, done []string, err error) {
	var shops []shop
	for _, code := range []string{live, foreign} {
		items, err := b.Menu(ctx, code)
		if err != nil {
			return nil, nil, err
		}
		shops = append(shops, shop{code, items})
	}
	told = map[string]string{}
	var mu sync.Mutex
	var started atomic.Int64
	faults := plan(o, w)
	group, ctx := errgroup.WithContext(ctx)
	shares, share := make(chan struct{}, 1), max(o.payments/(len(faults)+1), 1)
	group.Go(func() error {
		done, err = strike(ctx, faults, shares, func() int { return int(started.Load()) }, share)
		return err
	})
	next := make(chan uint64)
	group.Go(func() error {
		defer close(next)
		for i := range o.payments {
			if i%share == 0 {
				<-shares // closed after the last fault, so that undisturbed payments follow
			}
			select {
			case next <- uint64(i):
				started.Add(1)
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for i := range 2 {
		group.Go(func() error {
			w.chargedAfterAll(ctx, newCustomer(b.Behind(o.payments+i), shops[i], o.patience, o.seed, 0), back)
			return nil
		})
	}
	for range atOnce {
		group.Go(func() error {
			for i := range next {
				c := newCustomer(b.Behind(int(i)), shops[i%2], o.patience, o.seed, i+1) //nolint:gosec // small
				c.makeOrder(ctx)
				if i < uint64(o.payments/2) { //nolint:gosec // small
					c.lateAt = &w.lateAt
				}
				what := c.settle(ctx, c.draw())
				mu.Lock()
				told[c.trx] = what
				mu.Unlock()
				each := uint64(max(o.payments/o.refunds, 1))
				switch {
				case what == toldPaid && i%each == 0:
					back.refund(ctx, c.trx, o.patience, c.rand)
				case what == toldPaid && i%each == each/2+i/each%2: // at both shops
					if err := w.surprise(ctx, c.trx, int(i/each/2)); err != nil { //nolint:gosec // small
						return err
					}
				}
			}
			return nil
		})
	}
	return told, done, group.Wait()
}

// plan puts kills and cuts in a random order. The kinds of cuts take turns.
func plan(o options, w *world) (list []fault) {
	r := rand.New(rand.NewPCG(o.seed, 0)) //nolint:gosec // no secret
	list = slices.Repeat([]fault{{"kills", w.restart}}, o.kills)
	list = append(list, slices.Repeat([]fault{{"kills of PostgreSQL", w.killDatabase}}, o.databaseKills)...)
	kinds := w.network.cuts()
	for i, from := 0, r.IntN(len(kinds)); i < o.cuts; i++ {
		list = append(list, kinds[(i+from)%len(kinds)])
	}
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	// The acquirer pays out in between, which is no fault.
	return slices.Insert(list, len(list)/2, fault{"payout", w.payOut})
}

// strike makes each fault happen while its share of the payments is under way. started returns how many have begun. The next
// share may start when the fault is over. It returns how often each kind happened.
func strike(ctx context.Context, faults []fault, shares chan<- struct{}, started func() int, share int) (done []string, err error) {
	defer close(shares)
	counts := map[string]int{}
	for i, f := range faults {
		select {
		case shares <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		for started() < i*share+share/4 && ctx.Err() == nil {
			drive.Pause(ctx, time.Millisecond)
		}
		if err := f.do(ctx); err != nil {
			return nil, errors.Join(ctx.Err(), fmt.Errorf("%s: %w", f.name, err))
		}
		counts[f.name]++
	}
	for name, n := range counts {
		done = append(done, fmt.Sprintf("%d %s", n, name))
	}
	slices.Sort(done)
	return done, nil
}
