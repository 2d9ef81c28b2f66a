package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/internal/clock"
	rules "forecourt/internal/shop"
	"forecourt/internal/shop/shoptrade"
)

//go:embed desk.sql
var deskSQL string

// lookRounds is how often each page of the desk is read; the first tenth warms up.
const lookRounds = 220

// deskOver measures the desk's pages over count past payments of one business. It keeps them in folder, if one is given.
func (b *bench) deskOver(ctx context.Context, count int, folder []string) error {
	folder = append(folder, filepath.Join(b.folder, "market"))
	// With these settings PostgreSQL writes the payments once, and not to a log first.
	settings := map[string]string{"wal_level": "minimal", "max_wal_senders": "0", "max_wal_size": "512MB"}
	return withMarket(ctx, folder[0], settings, func(m *market) error {
		s, err := b.openShop(ctx, m, "desk", func(ctx context.Context, conn *pgx.Conn) error {
			return errors.Join(live(ctx, conn), fill(ctx, conn, count, deskSQL))
		})
		if err != nil {
			return err
		}
		return errors.Join(b.deskPages(ctx, s.dsn, count), s.stop())
	})
}

func (b *bench) deskPages(ctx context.Context, dsn string, count int) error {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return err
	}
	config.MaxConns = 1 // so that one process of PostgreSQL does all the work
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return err
	}
	defer pool.Close()
	one := rules.Shop{Code: "panezski", Live: true, Currency: "AUD", TimeZone: clock.Home}
	trade := shoptrade.New(pool, nil, nil)
	var pid int
	if err := pool.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&pid); err != nil {
		return err
	}
	b.section(fmt.Sprintf("Pages of the desk over %d payments: median and 99th percentile; the same of PostgreSQL's processor time", count))
	read := func(name string, page func() error) error { return b.look(pid, name, page) }
	for _, s := range searches(count) {
		err := read(s.name, func() error {
			filter, from := s.filter()
			filter.Test = false
			return second(trade.List(ctx, one, filter, from))
		})
		if err != nil {
			return err
		}
	}
	return errors.Join(
		read("today", func() error { return second(trade.Today(ctx, one, time.Now())) }),
		read("payouts", func() error {
			_, _, err := trade.Payouts(ctx, one, shoptrade.PayoutCursor{})
			return err
		}),
		read("what is owed", func() error { return second(trade.Owed(ctx, one)) }),
		read("a payout of 8,200 payments", func() error {
			_, _, _, _, err := trade.Payout(ctx, one, "p"+strconv.Itoa(6+mathrand.IntN(61)), 0)
			return err
		}),
		read("disputes", func() error {
			_, _, err := trade.OpenDisputes(ctx, one)
			return err
		}),
	)
}

// look measures one page of the desk: its time, and the processor time of PostgreSQL's process pid.
func (b *bench) look(pid int, name string, page func() error) error {
	var taken, worked []time.Duration
	for i := range lookRounds {
		before, err := onProcessor(pid)
		if err != nil {
			return err
		}
		start := time.Now()
		if err := page(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		took := time.Since(start)
		after, err := onProcessor(pid)
		if err != nil {
			return err
		}
		if i >= lookRounds/10 {
			taken, worked = append(taken, took), append(worked, after-before)
		}
	}
	fmt.Fprintf(b.out, "  %-46s %9.2f ms %9.2f ms %9.2f ms %9.2f ms\n", name, middle(taken), percentile99(taken), middle(worked), percentile99(worked))
	return nil
}

// onProcessor returns the processor time that a process has used.
func onProcessor(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", pid))
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(text), " ")
	nanoseconds, err := strconv.ParseInt(first, 10, 64)
	return time.Duration(nanoseconds), err
}

// search is one way to look for payments. filter draws new values on each call.
type search struct {
	name   string
	filter func() (rules.PaymentFilter, rules.PaymentCursor)
}

func searches(count int) []search {
	const common, nobody = "Ann", "Zebulon Quist"
	past := func() time.Time { return time.Now().Add(-time.Duration(mathrand.Int64N(int64(1090 * 24 * time.Hour)))) }
	amount := func() int64 { return 350 + 25*mathrand.Int64N(400) }
	card := func() string { return fmt.Sprintf("%04d", mathrand.IntN(10000)) }
	name := func() string { return common + " No" + strconv.Itoa(mathrand.IntN(1000)) }
	table := func() string { return strconv.Itoa(1 + mathrand.IntN(60)) }
	number := func() string { return strconv.Itoa(20 * (1 + mathrand.IntN(count/20))) }
	day := func(f rules.PaymentFilter) rules.PaymentFilter {
		f.Since = past()
		f.Before = f.Since.AddDate(0, 0, 1)
		return f
	}
	of := func(name string, filter func() rules.PaymentFilter) search {
		return search{name, func() (rules.PaymentFilter, rules.PaymentCursor) { return filter(), rules.PaymentCursor{} }}
	}
	type f = rules.PaymentFilter
	return []search{
		of("newest", func() f { return f{} }),
		{"a page from anywhere", func() (f, rules.PaymentCursor) { return f{}, rules.PaymentCursor{At: past(), Attempt: uuid.Max} }},
		of("amount", func() f { return f{Amount: amount()} }),
		of("amount that nobody paid", func() f { return f{Amount: 123457} }),
		of("last four", func() f { return f{LastFour: card()} }),
		of("part of a common name", func() f { return f{Name: common} }),
		of("a name", func() f { return f{Name: name()} }),
		of("a name that nobody has", func() f { return f{Name: nobody} }),
		of("table", func() f { return f{Table: table()} }),
		of("a table that does not exist", func() f { return f{Table: "Terrace 9"} }),
		of("the business's reference", func() f { return f{Reference: "INV-" + number()} }),
		of("the gateway's id", func() f { return f{Reference: "g" + number()} }),
		of("a reference that nothing has", func() f { return f{Reference: "INV-none"} }),
		of("day", func() f { return day(f{}) }),
		of("state: paid", func() f { return f{Show: rules.PaidPayments} }),
		of("state: declined", func() f { return f{Show: rules.DeclinedPayments} }),
		of("state: refunded", func() f { return f{Show: rules.RefundedPayments} }),
		of("state: no outcome", func() f { return f{Show: rules.OpenPayments} }),
		of("state: disputed", func() f { return f{Show: rules.DisputedPayments} }),
		of("method: Apple Pay", func() f { return f{Method: "apple"} }),
		of("amount, day", func() f { return day(f{Amount: amount()}) }),
		of("last four, day", func() f { return day(f{LastFour: card()}) }),
		of("name, day", func() f { return day(f{Name: name()}) }),
		of("table, day", func() f { return day(f{Table: table()}) }),
		of("amount, last four", func() f { return f{Amount: amount(), LastFour: card()} }),
		of("amount, name", func() f { return f{Amount: amount(), Name: name()} }),
		of("amount, table, Apple Pay", func() f { return f{Amount: amount(), Table: table(), Method: "apple"} }),
		of("refunded, name", func() f { return f{Show: rules.RefundedPayments, Name: name()} }),
		of("refunded, a name that nobody has, card", func() f { return f{Show: rules.RefundedPayments, Name: nobody, Method: "card"} }),
		of("disputed, amount", func() f { return f{Show: rules.DisputedPayments, Amount: amount()} }),
		of("declined, last four, day", func() f { return day(f{Show: rules.DeclinedPayments, LastFour: card()}) }),
		of("day, name, table, method, state", func() f { return day(f{Name: common, Table: table(), Method: "card", Show: rules.PaidPayments}) }),
	}
}
