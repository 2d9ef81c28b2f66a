package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	tradeRate  = time.Minute / 1000 // between two orders
	tradePart  = 10 * time.Minute   // the figures are printed after each
	leastParts = 3                  // even in a short trade, so that there is a first and a last third
	mostVisits = 600                // at once; if the machine is too slow for the rate, further guests wait outside

	mostWait   = 100 // ms that the slowest of a hundred pages of a kind may take in a part
	mostGrowth = 1.1 // memory in the last third, against the first
	mostDead   = 0.2 // rows of a table that are dead
)

// trade runs a busy street of businesses: 1,000 orders a minute, placed and paid as browsers do, some declined at first, each followed on its
// page until the kitchen is done, and a few refunded. Unlike the other measurements it is a test: it returns an error if anything failed,
// pages were slow, memory grew, dead rows piled up or the books differ from the gateway's ledger.
func (b *bench) trade(ctx context.Context, length time.Duration) (err error) {
	// The sandbox runs in its own process: it maps into memory its ledger, which grows with each payment and is not part of the program.
	gateway, err := b.run(ctx, "trade-gateway", []string{"sandbox", "--addr", "127.0.0.1:0"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, gateway.stop()) }()
	atGateway := []string{"GATEWAY_URL=" + gateway.url, "GATEWAY_KEY=sandbox"}
	p, err := b.serve(ctx, "trade", append(atGateway, "FORECOURT_DEMO=on", "TRUSTED_PROXIES=127.0.0.1")...)
	if err != nil {
		return err
	}
	stopped := sync.OnceValue(p.stop)
	defer func() { err = errors.Join(err, stopped()) }()
	folder := filepath.Join(b.folder, "trade")
	s := &street{url: p.url, tape: &tape{}}
	if err := s.open(ctx); err != nil {
		return err
	}
	part := min(tradePart, length/leastParts)
	fmt.Fprintf(b.out, "\nTrade for %s: an order each %s, followed until the kitchen is done; figures of each %s\n", length, tradeRate, part)
	watch, err := newWatch(ctx, p, folder)
	if err != nil {
		return err
	}
	defer watch.close(ctx)

	working, leave := context.WithCancel(ctx)
	defer leave()
	group, working := errgroup.WithContext(working)
	group.Go(func() error { return watch.memory(working) })
	s.work(working, group)
	arriving, shut := context.WithTimeout(working, length)
	defer shut()
	var guests errgroup.Group
	guests.SetLimit(mostVisits)
	go s.arrive(arriving, working, &guests)
	for at := part; at <= length && working.Err() == nil; at += part {
		if err := wait(working, part); err != nil {
			break
		}
		if err := b.print(ctx, at, s, watch); err != nil {
			return err
		}
	}
	shut()
	_ = guests.Wait() // the tape records what went wrong
	leave()
	if err := group.Wait(); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	verdict := errors.Join(s.tape.verdict(), watch.verdict(b.report), b.booksAgree(ctx, folder, atGateway))
	return errors.Join(verdict, stopped(), clean(p.log.Name()))
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
		}
		guests.Go(func() error {
			if err := s.visit(working, n); err != nil && working.Err() == nil {
				s.tape.fail(err)
			}
			return nil
		})
	}
}

// print prints the figures since the last call.
func (b *bench) print(ctx context.Context, at time.Duration, s *street, w *watch) error {
	taken, counts := s.tape.next()
	stolen, err := w.stolen()
	if err != nil {
		return err
	}
	b.section(fmt.Sprintf("After %s", at))
	b.known("processor time that other machines took", 100*stolen, percent)
	b.known("orders paid", float64(counts["paid"]), plain)
	b.known("cards declined", float64(counts["declined"]), plain)
	b.known("payments whose outcome came later", float64(counts["later"]), plain)
	b.known("refunds", float64(counts["refund"]), plain)
	b.known("order pages that were open", float64(s.following.Load()), plain)
	b.known("errors", float64(counts["error"]), plain)
	for _, kind := range tapedKinds {
		if len(taken[kind]) == 0 {
			continue
		}
		if strings.HasSuffix(kind, " page") {
			p99 := percentile99(taken[kind])
			b.atMost("p99 of the "+kind, p99, mostWait, milliseconds)
			if stolen <= mostStolen {
				s.tape.waited(kind, at, p99)
			}
		} else {
			b.known("p99 of the "+kind, percentile99(taken[kind]), milliseconds)
		}
	}
	return w.print(ctx, b.report)
}

// booksAgree has the program compare its books with the gateway's ledger.
func (b *bench) booksAgree(ctx context.Context, folder string, atGateway []string) error {
	cmd := exec.CommandContext(ctx, b.program, "reconcile")
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.folder, "FORECOURT_DATA=" + folder}, atGateway...)
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the books differ from the gateway's ledger: %w: %s", err, said)
	}
	return nil
}

// clean returns an error that quotes the first errors in a log, if there are any.
func clean(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var bad []string
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, `"level":"ERROR"`) {
			bad = append(bad, line)
		}
	}
	if len(bad) == 0 {
		return nil
	}
	return fmt.Errorf("the program logged %d errors: %s", len(bad), strings.Join(bad[:min(3, len(bad))], ""))
}

// statusError is an unexpected answer.
type statusError struct {
	status int
	text   string
}

func (e *statusError) Error() string { return e.text }

func unexpected(res *http.Response, path string, body []byte) error {
	return &statusError{res.StatusCode, fmt.Sprintf("%s %s answers %s: %.200s", res.Request.Method, path, res.Status, body)}
}
