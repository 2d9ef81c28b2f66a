package main

import (
	"context"
	"crypto/rand"
	_ "embed"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"
)

const (
	payers       = 64
	paymentsEach = 25
	aMillion     = 1_000_000
)

//go:embed past.sql
var pastSQL string

// longPast measures payments, and then each of their statements, on an empty table and on one with past payments. If a folder is named, the
// past payments stay there.
func (b *bench) longPast(ctx context.Context, count int, folder []string) error {
	folder = append(folder, filepath.Join(b.folder, "market"))
	// Filling the past writes more than the write-ahead log of a small server is set up for.
	settings := map[string]string{"max_wal_size": "4GB"}
	return withMarket(ctx, folder[0], settings, func(m *market) error {
		return errors.Join(m.drop(ctx, "young"), b.past(ctx, m, count))
	})
}

// manyPayers raises the limits, because all payers come from one address.
var manyPayers = []string{"LIMIT_ADDRESS=1000000", "LIMIT_CARD=1000000"}

// past measures how long a payment takes under 64 payers on an empty table and on one with a long past. Both are databases
// of the same server, and take turns.
func (b *bench) past(ctx context.Context, m *market, count int) (err error) {
	young, err := b.openShop(ctx, m, "young", live, manyPayers...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, young.stop()) }()
	start := time.Now()
	old, err := b.openShop(ctx, m, "old", func(ctx context.Context, conn *pgx.Conn) error {
		return errors.Join(live(ctx, conn), fill(ctx, conn, count, pastSQL))
	}, manyPayers...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, old.stop()) }()
	made := time.Since(start)
	if err := b.statements(ctx, young, old, count); err != nil {
		return err
	}
	if err := b.books(ctx, old); err != nil {
		return err
	}
	b.section(fmt.Sprintf("Payment under 64 payers, on an empty table and with %d past transactions", count))
	b.known("making the past", made.Seconds(), seconds)
	var before, after speed
	var shares []float64
	for range rounds + 1 { // the first round warms up
		if err := before.payments(ctx, young); err != nil {
			return err
		}
		if err := after.payments(ctx, old); err != nil {
			return err
		}
		shares = append(shares, after.p99[len(after.p99)-1]/before.p99[len(before.p99)-1])
	}
	b.known("payments, empty table", median(before.perSecond[1:]), perSecond)
	b.known("payments, long past", median(after.perSecond[1:]), perSecond)
	b.known("slowest of a hundred (p99), empty table", median(before.p99[1:]), milliseconds)
	b.known("slowest of a hundred (p99), long past", median(after.p99[1:]), milliseconds)
	b.atMost("p99 with the past, against the empty table", median(shares[1:]), 1.2, times)
	return nil
}

// live switches panezski to real money, so that each payment counts toward all the limits of live ones.
func live(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "UPDATE client SET live = true WHERE code = 'panezski'")
	return err
}

// fill runs past, SQL that adds past payments to a database with the demo data, unless they are there already. It leaves the database as it
// would be after long use.
func fill(ctx context.Context, conn *pgx.Conn, count int, past string) error {
	var have int
	err := conn.QueryRow(ctx, "SELECT count(*) FROM transaction WHERE id IN (left(md5('1'), 26), left(md5($1), 26))", strconv.Itoa(count)).Scan(&have)
	if err != nil || have == 2 {
		return err
	}
	for _, sql := range []string{fmt.Sprintf("SET bench.past = %d", count), past, "VACUUM (ANALYZE)", "CHECKPOINT"} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("making the past: %w", err)
		}
	}
	return nil
}

// payments makes orders, which is not measured, and then lets 64 payers pay them at once.
func (s *speed) payments(ctx context.Context, shop *shop) (err error) {
	callers, err := newCallers(ctx, shop.url, payers)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, hangUp(callers)) }()
	orders := make([][]string, payers)
	each := func(do func(payer int, c *caller) error) error {
		group, ctx := errgroup.WithContext(ctx)
		for i, c := range callers {
			group.Go(func() error { return errors.Join(do(i, c), ctx.Err()) })
		}
		return group.Wait()
	}
	err = each(func(payer int, c *caller) error {
		for range paymentsEach {
			id, err := shop.order(c, rand.Text())
			if err != nil {
				return err
			}
			orders[payer] = append(orders[payer], id)
		}
		return nil
	})
	if err != nil {
		return err
	}
	taken := make([][]time.Duration, payers)
	start := time.Now()
	err = each(func(payer int, c *caller) error {
		for _, id := range orders[payer] {
			begun := time.Now()
			if err := shop.pay(c, id, rand.Text()); err != nil {
				return err
			}
			taken[payer] = append(taken[payer], time.Since(begun))
		}
		return nil
	})
	if err != nil {
		return err
	}
	elapsed := time.Since(start)
	s.perSecond = append(s.perSecond, payers*paymentsEach/elapsed.Seconds())
	s.p99 = append(s.p99, percentile99(slices.Concat(taken...)))
	return nil
}
