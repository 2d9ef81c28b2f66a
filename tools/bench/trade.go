package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"forecourt/db/embedded"
)

const (
	tradeRate  = time.Minute / 1000 // between two orders
	tradePart  = 10 * time.Minute   // the figures are printed and judged after each
	mostVisits = 600                // at once; if the machine is too slow for the rate, further guests wait outside

	mostWait   = 100 // ms that the slowest of a hundred pages of a kind may take in a part
	mostMemory = 100 // MB that the program takes in a part; the median, since a password that is hashed takes more for a moment
	mostDead   = 20  // % of the rows of a table that may be dead
	manyRows   = 5000
)

// trade runs a busy street of businesses: 1,000 orders a minute, placed and paid as browsers do, some declined at first, each followed
// on its page until the kitchen is done, and a few refunded. It returns an error if anything failed, pages were slow, memory or dead
// rows piled up, the program logged an error, or its books differ from the gateway's ledger.
func (b *bench) trade(ctx context.Context, length time.Duration) (err error) {
	// The sandbox runs in its own process: it maps into memory its ledger, which grows with each payment and is not part of the program.
	gateway, err := b.start(b.command(ctx, "trade-gateway", []string{"sandbox", "--addr", "127.0.0.1:0"}))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, gateway.stop()) }()
	atGateway := []string{"GATEWAY_URL=" + gateway.url, "GATEWAY_KEY=sandbox"}
	p, err := b.serve(ctx, "trade", atGateway...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop(), clean(p.log.Name())) }()
	s, err := newStreet(ctx, p.url)
	if err != nil {
		return err
	}
	part := min(tradePart, length/3)
	fmt.Fprintf(b.out, "\nTrade for %s: an order each %s; figures of each %s\n", length, tradeRate, part)
	working, leave := context.WithCancel(ctx)
	defer leave()
	var staff, guests errgroup.Group
	s.work(working, &staff)
	guests.SetLimit(mostVisits)
	arriving, shut := context.WithTimeout(working, length)
	defer shut()
	go s.arrive(arriving, working, &guests)
	var broken []error
	for at := part; at <= length && working.Err() == nil; at += part {
		memory, err := p.memoryWithin(ctx, part)
		if err != nil {
			return err
		}
		b.section(fmt.Sprintf("After %s", at))
		broken = append(broken, b.judge(s, memory), b.deadRows(ctx, filepath.Join(b.folder, "trade")))
	}
	shut()
	_ = guests.Wait() // the street remembers what went wrong
	leave()
	_ = staff.Wait()
	if said, err := b.command(ctx, "trade", []string{"reconcile"}, atGateway...).CombinedOutput(); err != nil {
		broken = append(broken, fmt.Errorf("the books differ from the gateway's ledger: %w: %s", err, said))
	}
	return errors.Join(append(broken, s.failures())...)
}

// arrive lets guests in, one after another, until arriving ends. Guests who are inside carry on.
func (s *street) arrive(arriving, working context.Context, guests *errgroup.Group) {
	tick := time.NewTicker(tradeRate)
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case <-arriving.Done():
			return
		case <-tick.C:
			guests.Go(func() error { s.note(working, s.visit(working, n)); return nil })
		}
	}
}

// memoryWithin returns the median of the memory that the process takes within a time, in MB.
func (p *process) memoryWithin(ctx context.Context, length time.Duration) (float64, error) {
	var seen []float64
	for end := time.Now().Add(length); time.Now().Before(end); {
		now, err := p.memory()
		if err := errors.Join(err, wait(ctx, 2*time.Second)); err != nil {
			return 0, err
		}
		seen = append(seen, now/1000)
	}
	return median(seen), nil
}

// judge prints what happened since the last call, and returns an error if a page was slow or the program took too much memory.
func (b *bench) judge(s *street, memory float64) error {
	taken := s.next()
	b.known("order pages that are open", float64(s.following.Load()), plain)
	b.atMost("memory of the program (PSS), median", memory, mostMemory, megabytes)
	var broken []error
	if memory > mostMemory {
		broken = append(broken, fmt.Errorf("the program takes %.0f MB", memory))
	}
	for _, kind := range slices.Sorted(maps.Keys(taken)) {
		p99 := percentile99(taken[kind])
		if !strings.HasSuffix(kind, " page") {
			b.known(fmt.Sprintf("p99 of %d × %s", len(taken[kind]), kind), p99, milliseconds)
			continue
		}
		b.atMost(fmt.Sprintf("p99 of %d × %s", len(taken[kind]), kind), p99, mostWait, milliseconds)
		if p99 > mostWait {
			broken = append(broken, fmt.Errorf("p99 of the %s is %.0f ms", kind, p99))
		}
	}
	return errors.Join(broken...)
}

// deadRows prints the share of dead rows of the large tables of the built-in database, and returns an error if it is too large.
func (b *bench) deadRows(ctx context.Context, folder string) error {
	dsn, err := embedded.Attach(folder, embedded.Database)
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	rows, err := conn.Query(ctx, `SELECT relname, (100.0 * n_dead_tup / (n_live_tup + n_dead_tup))::float8 FROM pg_stat_user_tables
		WHERE n_live_tup >= $1 ORDER BY 2 DESC`, manyRows)
	if err != nil {
		return err
	}
	var broken []error
	var name string
	var dead float64
	_, err = pgx.ForEachRow(rows, []any{&name, &dead}, func() error {
		b.atMost("dead rows of "+name, dead, mostDead, percent)
		if dead > mostDead {
			broken = append(broken, fmt.Errorf("%.0f %% of the rows of %s are dead", dead, name))
		}
		return nil
	})
	return errors.Join(append(broken, err)...)
}

// clean returns an error that quotes the first errors in a log, if there are any.
func clean(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	bad := slices.DeleteFunc(strings.SplitAfter(string(text), "\n"), func(line string) bool {
		return !strings.Contains(line, `"level":"ERROR"`)
	})
	if len(bad) == 0 {
		return nil
	}
	return fmt.Errorf("the program logged %d errors: %s", len(bad), strings.Join(bad[:min(3, len(bad))], ""))
}

// errStatus is an unexpected answer.
type errStatus struct {
	status int
	text   string
}

func (e *errStatus) Error() string { return e.text }

func unexpected(res *http.Response, body []byte) error {
	return &errStatus{res.StatusCode, fmt.Sprintf("%s %s answers %s: %.200s", res.Request.Method, res.Request.URL.Path, res.Status, body)}
}
