package main

import (
	"context"
	"crypto/rand"
	mathrand "math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// patience is how long a payer keeps looking. Nobody should need it all.
	patience = 2 * time.Minute
	reload   = 500 * time.Millisecond
	maxTries = 3
)

// shown is what the payer was shown at the end.
type shown string

const (
	shownPaid    shown = "paid"
	shownFailed  shown = "not paid, no money was taken"
	shownNothing shown = "nothing"
)

// customer orders once and pays as people do: pressing twice, in two tabs, again after a decline.
type customer struct {
	payment
	patience time.Duration
	rand     *mathrand.Rand
	late     bool // also draws cards that take long
	at       shop
	used     func(card string)
	limited  atomic.Bool // was told to wait longer than anybody would
}

// newCustomer returns a customer at a shop.
func newCustomer(b *browser, at shop, r *mathrand.Rand) *customer {
	return &customer{payment: payment{browser: b, shop: at.code}, patience: patience, at: at, rand: r, used: func(string) {}}
}

// pay goes on until the page tells an outcome that the payer accepts.
func (c *customer) pay(ctx context.Context) shown {
	ctx, cancel := context.WithTimeout(ctx, c.patience)
	defer cancel()
	c.makeOrder(ctx)
	return c.settle(ctx, draw(c.rand, c.late))
}

// settle pays the order, at first with card.
func (c *customer) settle(ctx context.Context, card string) shown {
	ctx, cancel := context.WithTimeout(ctx, c.patience)
	defer cancel()
	for tries := 1; ctx.Err() == nil; {
		switch p := c.look(ctx); p.state {
		case "form":
			if c.limited.Load() {
				return shownFailed
			}
			c.press(ctx, p.key, card)
		case "waiting":
			c.wait(ctx, p)
		case "failure":
			if tries == maxTries || c.limited.Load() || c.rand.IntN(10) < 3 {
				return shownFailed
			}
			tries, card = tries+1, draw(c.rand, c.late)
			c.tryAgain(ctx)
		case "success", "status", "completed", "refunded":
			c.pressLate(ctx)
			return shownPaid
		default: // no page came, or one without an outcome
			pause(ctx, reload)
		}
	}
	return shownNothing
}

// makeOrder repeats the order with its key until it is made. An item may be outside its hours meanwhile; then the customer takes another one.
func (c *customer) makeOrder(ctx context.Context) {
	for c.trx == "" && ctx.Err() == nil {
		key, item, qty := rand.Text(), c.at.items[c.rand.IntN(len(c.at.items))], 1+c.rand.IntN(3)
		for refused := false; c.trx == "" && !refused && ctx.Err() == nil; {
			if c.trx, refused = c.at.order(ctx, c.browser, key, item, qty); c.trx == "" {
				pause(ctx, reload)
			}
		}
	}
}

// press clicks Pay twice while a second tab pays with its own form and its own card or wallet.
func (c *customer) press(ctx context.Context, key, card string) {
	other := c.look(ctx)
	otherCard, by, otherBy := draw(c.rand, c.late), c.way(), c.way()
	var presses sync.WaitGroup
	click := func(key, card string, by way) {
		c.used(card)
		delay := time.Duration(c.rand.IntN(5)) * time.Millisecond
		presses.Go(func() {
			pause(ctx, delay)
			if c.submit(ctx, key, card, by) == http.StatusTooManyRequests {
				c.limited.Store(true)
			}
		})
	}
	click(key, card, by)
	click(key, card, by)
	if other.key != "" {
		click(other.key, otherCard, otherBy)
	}
	presses.Wait()
}

func (c *customer) way() way { return way(c.rand.IntN(int(ways))) }

// pressLate sometimes submits an old form in another window.
func (c *customer) pressLate(ctx context.Context) {
	if c.rand.IntN(10) == 0 {
		c.submit(ctx, rand.Text(), approves, c.way())
	}
}

// wait follows the waiting page. It reloads the page, and answers a challenge or gives it up.
func (c *customer) wait(ctx context.Context, p page) {
	switch n := c.rand.IntN(4); {
	case p.bank == "":
		pause(ctx, reload)
	case n == 0:
		c.tryAgain(ctx)
	default:
		c.decide(ctx, p.bank, n > 1)
		pause(ctx, reload)
	}
}
