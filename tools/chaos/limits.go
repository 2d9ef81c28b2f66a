package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"sync"
)

const (
	// stolen is the number of live payments that somebody tries at once with one card from one address. limit is how many of them may be declined.
	stolen = 40
	limit  = 3
	// strange is the address that they come from. No other payer has it.
	strange = 1<<24 - 1
)

// testers tries a declined card for many orders at once.
func (r *trial) testers(ctx context.Context, b *browser, at shop) (promise, error) {
	b = b.behind(strange)
	all := make([]*customer, stolen)
	for i := range all {
		all[i] = newCustomer(b, at, mathrand.New(mathrand.NewPCG(1, uint64(i)))) //nolint:gosec // no secret
		all[i].makeOrder(ctx)
	}
	var presses sync.WaitGroup
	for _, c := range all {
		presses.Go(func() { c.submit(ctx, rand.Text(), declines, byScript) })
	}
	presses.Wait()
	declined := 0
	for _, c := range all {
		state := c.look(ctx).state
		for ; state == "waiting" || state == ""; state = c.look(ctx).state {
			if ctx.Err() != nil {
				return promise{}, ctx.Err()
			}
			pause(ctx, reload)
		}
		declined += count(state == "failure")
		r.keepShown(c.trx, shownFailed)
	}
	if declined == 0 {
		return promise{}, errors.New("not one stolen card came through to the gateway")
	}
	return promise{"limits", max(declined-limit, 0), fmt.Sprintf("declines (%d of %d tries at once) beyond the limit of a card at one address", declined, stolen)}, nil
}
