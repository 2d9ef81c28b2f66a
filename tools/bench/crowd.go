package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"
)

// crowdPayments is how many live orders each side pays in a turn.
const crowdPayments = 400

// oneAddress compares live payments of a café's guests, who share one network address and its limits, with payments that each come from their own address.
func (b *bench) oneAddress(ctx context.Context) error {
	return withMarket(ctx, filepath.Join(b.folder, "market"), nil, func(m *market) (err error) {
		s, err := b.openShop(ctx, m, "crowd", live, "TRUSTED_PROXIES=127.0.0.1", "LIMIT_ORDERS=1000000", "LIMIT_CARD=1000")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.stop()) }()
		callers, err := newCallers(ctx, s.url, connections)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, hangUp(callers)) }()
		r, err := turns(
			func() (float64, error) {
				return s.payAll(callers, func(i int) string { return fmt.Sprintf("198.51.100.%d", i+1) })
			},
			func() (float64, error) { return s.payAll(callers, func(int) string { return "203.0.113.7" }) },
		)
		if err != nil {
			return err
		}
		b.section("Live payments, 16 at once, with a gateway that answers at once: from one address beside from 16")
		b.known("payments from 16 addresses", r.plain, perSecond)
		b.known("payments from one address", r.program, perSecond)
		b.atLeast("payments from one address, share of the others'", r.share, 0.8, times)
		return nil
	})
}

// payAll makes orders, then pays them all, each caller from the address given for it, and returns the payments per second.
func (s *shop) payAll(callers []*caller, address func(i int) string) (float64, error) {
	orders := make(chan string, crowdPayments)
	each := func(do func(c *caller) error) error {
		var group errgroup.Group
		for i, c := range callers {
			c.from = address(i)
			group.Go(func() error { return do(c) })
		}
		return group.Wait()
	}
	err := each(func(c *caller) error {
		for range crowdPayments / len(callers) {
			id, err := s.order(c, rand.Text())
			if err != nil {
				return err
			}
			orders <- id
		}
		return nil
	})
	close(orders)
	if err != nil {
		return 0, err
	}
	start := time.Now()
	err = each(func(c *caller) error {
		for id := range orders {
			if err := s.pay(c, id, rand.Text()); err != nil {
				return err
			}
		}
		return nil
	})
	return crowdPayments / time.Since(start).Seconds(), err
}
