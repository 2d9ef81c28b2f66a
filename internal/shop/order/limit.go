package order

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"time"

	"forecourt/internal/run/throttle"
)

// MostUnpaid is how many unpaid orders a network may make in an hour, unless a setting says otherwise. The guests of a café share one
// network.
const MostUnpaid = 120

// Limit lets a network make at most most unpaid orders within an hour; 0 takes MostUnpaid. Orders
// without an origin, which were made on this machine, are not limited.
func (o *Orders) Limit(t *throttle.Throttle, most int) {
	// Migration 78 names the subject, too.
	o.throttle, o.unpaid = t, throttle.Limit{Subject: "unpaid orders", Most: cmp.Or(most, MostUnpaid), Window: time.Hour}
}

func (o *Orders) limits(from netip.Addr) bool {
	return o.throttle != nil && from.IsValid()
}

// reserve counts an order before it is made. It returns the key under which the order is counted, so that the order stops counting once it
// is paid.
func (o *Orders) reserve(ctx context.Context, from netip.Addr) ([]byte, error) {
	if !o.limits(from) {
		return nil, nil
	}
	network := throttle.Network(from).String()
	err := o.throttle.Take(ctx, o.unpaid, network)
	if full := new(throttle.Error); errors.As(err, &full) {
		err = errors.Join(err, o.giveBack(ctx, from)) // an order that is paid later makes room for the next
	}
	return o.throttle.Hash(network), err
}

// giveBack undoes reserve for an order that was not made.
func (o *Orders) giveBack(ctx context.Context, from netip.Addr) error {
	if !o.limits(from) {
		return nil
	}
	return o.throttle.Succeed(ctx, o.unpaid, throttle.Network(from).String())
}
