package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// lateCharge is a little longer than the sandbox's slowest charge takes. Before that its ledger is not complete.
const lateCharge = 14 * time.Second

// rubbishShare is the share of rubbish among the gateways' answers.
const rubbishShare = 0.05

// delivery is how long after a request was given up a slow wire may still deliver it.
const delivery = 5 * time.Second

// load runs a binary under many payers and faults.
func load(ctx context.Context, o options) error {
	dir, remove, err := o.folder()
	if err != nil {
		return err
	}
	defer remove()
	binary, err := o.binary(ctx, dir)
	if err != nil {
		return err
	}
	r := trial{options: o, dir: dir, binary: binary, drills: true, wait: stuckAfter * time.Second, patience: patience}
	broken, err := r.do(ctx)
	if err == nil && len(broken) > 0 {
		err = errBroken
	}
	return err
}

// trial is one load on one binary.
type trial struct {
	options
	dir, binary string
	drills      bool
	wait        time.Duration // for what is still open at the end
	patience    time.Duration // of a payer

	office   *backOffice
	heard    map[string]shown
	mu       sync.Mutex
	lastLate time.Time
}

// do runs the trial and returns the names of the broken promises.
func (r *trial) do(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if r.payments <= r.kills+r.databaseKills+r.cuts {
		return nil, errors.New("each fault needs a payment of its own")
	}
	began, seed := time.Now(), r.choices()
	drilled := r.drill(ctx)
	w, err := newWorld(ctx, r.dir, r.binary, r.letters, rubbishShare, seed)
	if err != nil {
		return nil, err
	}
	defer w.close()
	k := newKeeper(func(ctx context.Context) (*process, error) { return w.serve(ctx) })
	kept := make(chan struct{})
	go func() { defer close(kept); k.run(ctx) }()
	defer func() { cancel(); <-kept }()
	if err := k.await(ctx); err != nil {
		return nil, err
	}
	f := plan(r.options, w, k, rand.New(rand.NewPCG(seed, 0))) //nolint:gosec // no secret
	browser := newBrowser(w.listen, r.atOnce)
	r.office = newBackOffice(w.binary, w.env, w.gateways)
	if r.office.desk, err = newCounter(browser); err != nil {
		return nil, err
	}
	promises, err := r.crowd(ctx, w, browser, f, seed)
	if err != nil {
		return nil, err
	}
	paid := time.Since(began)
	if r.calm != nil {
		r.calm()
	}
	pause(ctx, max(time.Until(r.lastLate.Add(lateCharge)), time.Until(f.lastEnd.Add(delivery))))
	r.office.decideRest(ctx, r.wait)
	b, err := w.readBooks(ctx, r.wait)
	if err != nil {
		return nil, err
	}
	settled, err := w.settle(ctx)
	if err == nil && r.letters {
		err = w.awaitLetters(ctx, delivered)
	}
	if err == nil {
		b, err = w.readBooks(ctx, 0)
	}
	if err != nil {
		return nil, err
	}
	promises = slices.Concat(judge(b, r.heard), judgeRefunds(b, r.office.heard), promises, f.promises, settled, []promise{judgeEvents(b)}, []promise{
		k.promise(), {"answers", int(browser.mistakes.Load()), "answers with a server error other than 503"},
	}, <-drilled)
	if r.letters {
		promises = append(promises, judgeLetters(b, w.mail.letters())...)
	}
	kills, databaseKills, cuts := f.counts()
	seconds, swept := slowest(b)
	fmt.Fprintf(r.out, "slowest resolution %.1f s, %d resolved by the sweep, slowest refund %.1f s; %d kills, %d of PostgreSQL, %d of refund commands, %d refunds by form, %d cuts, %d malformed answers; %d payments in %.0f s of %.0f s; seed %d\n",
		seconds, swept, slowestRefund(b), kills, databaseKills, r.office.killed, r.office.forms, cuts, w.rubbish(), len(b.transactions), paid.Seconds(), time.Since(began).Seconds(), seed)
	return report(r.out, promises), nil
}

// drill runs the drill beside the load if the options ask for it.
func (r *trial) drill(ctx context.Context) <-chan []promise {
	found := make(chan []promise, 1)
	go func() {
		var promises []promise
		if r.drills {
			promises = []promise{drill(ctx, filepath.Join(r.dir, "drill"), r.binary, r.patience)}
		}
		found <- promises
	}()
	return found
}

// crowd has all customers pay while the faults strike, and then lets abusers try.
func (r *trial) crowd(ctx context.Context, w *world, b *browser, f *faults, seed uint64) ([]promise, error) {
	all, err := b.openShops(ctx)
	if err == nil {
		err = w.setCurrency(ctx, "moollar", "USD")
	}
	if err != nil {
		return nil, err
	}
	r.heard = map[string]shown{}
	if err := r.payers(ctx, b, f, seed, all); err != nil {
		return nil, err
	}
	limits, err := r.testers(ctx, b, all[0])
	if err != nil {
		return nil, err
	}
	baskets, err := r.guests(ctx, b, all[0])
	return []promise{limits, baskets}, err
}

// payers runs the customers.
func (r *trial) payers(ctx context.Context, b *browser, f *faults, seed uint64, all []shop) error {
	group, ctx := errgroup.WithContext(ctx)
	var started atomic.Int64
	shares, share := make(chan struct{}, 1), max(r.payments/(len(f.list)+1), 1)
	group.Go(func() error { return f.strike(ctx, shares, func() int { return int(started.Load()) }, share) })
	next := make(chan int)
	group.Go(func() error {
		defer close(next)
		for i := range r.payments {
			if i%share == 0 {
				<-shares // closed after the last fault, so that undisturbed payments follow
			}
			select {
			case next <- i:
				started.Add(1)
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range r.atOnce {
		group.Go(func() error {
			for i := range next {
				chance := rand.New(rand.NewPCG(seed, uint64(i)+1)) //nolint:gosec // no secret
				c := newCustomer(b.behind(i), choose(all, chance.IntN(100)), chance)
				c.patience, c.used, c.late = r.patience, r.used, i < r.payments/2
				what := c.pay(ctx)
				r.keepShown(c.trx, what)
				if what == shownPaid && r.refunds > 0 && i%max(r.payments/r.refunds, 1) == 0 {
					r.office.refund(ctx, c.at.code, c.trx, r.patience, c.rand)
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// keepShown notes what the payer of a transaction was told.
func (r *trial) keepShown(trx string, what shown) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.heard[trx] = what
}

// used notes the time when a card with a late charge was used.
func (r *trial) used(card string) {
	if card != chargedLate {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lastLate = time.Now()
}
