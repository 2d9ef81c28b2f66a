package order

import (
	"cmp"
	"context"
	"errors"
	"time"

	"forecourt/internal/run/throttle"
)

// MostUnpaid is how many unpaid orders a network may make in an hour at one shop, unless a setting says otherwise. The guests of a café
// share one network.
const MostUnpaid = 120

// Limit lets a network make at most most unpaid orders at a shop within an hour; 0 takes MostUnpaid. A browser that has paid there counts
// for itself. Beyond the limit the oldest order expires that nobody looks at: somebody who makes many orders ends their own, and the
// shop's guests, who share the network, go on. What expired stays in the books, so a few alone take the place of others in each replacedIn,
// whoever asks first: once a flood is over the next guest waits no longer than that. With test money paid orders count, too. Orders without
// an origin, which were made on this machine, are not limited.
func (o *Orders) Limit(t *throttle.Throttle, most int) {
	// Migration 78 names the subject, too.
	o.throttle, o.unpaid = t, throttle.Limit{Subject: "unpaid orders", Most: cmp.Or(most, MostUnpaid), Window: time.Hour}
	o.replaced = throttle.Limit{Subject: "orders in place of others", Most: max(o.unpaid.Most/60, 1), Window: replacedIn}
}

// These say how long an order stays after its page was shown, however many are made, and in what time a few take the place of others.
const (
	shownFor   = 15 * time.Minute
	replacedIn = 15 * time.Second
)

// reserve counts an order before it is made. It returns what the order is counted under, so that it stops counting once it is paid; "" if
// it is not counted.
func (o *Orders) reserve(ctx context.Context, req Request) (what string, err error) {
	if o.throttle == nil || !req.From.IsValid() {
		return "", nil
	}
	what = req.Shop + " " + throttle.Network(req.From).String()
	if len(req.Own) > 0 {
		paid, err := o.queries.TransactionPaidOf(ctx, req.Shop, req.Own)
		if err != nil {
			return "", err
		}
		what = cmp.Or(paid, what)
	}
	err = o.throttle.Take(ctx, o.unpaid, what)
	full := new(throttle.Error)
	if !errors.As(err, &full) {
		return what, err
	}
	if err := o.giveBack(ctx, what); err != nil { // the order takes the place of another, or an order that is paid later makes room
		return "", err
	}
	if id, err := o.stored(ctx, req); id != "" || err != nil {
		return "", cmp.Or[error](err, full) // the caller finds it, too
	}
	if err := o.throttle.Take(ctx, o.replaced, what); err != nil {
		return "", err
	}
	ended, err := o.queries.TransactionMakeRoom(ctx, o.throttle.Hash(what), shownFor)
	if err == nil && ended == 0 {
		if err := o.throttle.Succeed(ctx, o.replaced, what); err != nil {
			return "", err
		}
		err = &throttle.Error{After: min(full.After, shownFor), Subject: full.Subject}
	}
	return what, err
}

// giveBack undoes reserve for an order that was not made.
func (o *Orders) giveBack(ctx context.Context, what string) error {
	if what == "" {
		return nil
	}
	return o.throttle.Succeed(ctx, o.unpaid, what)
}
