package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// crashWorlds is the number of worlds in which the program dies at the same time. There are several because a death mostly waits for the sweep.
const crashWorlds = 4

// crashes runs the crash matrix.
func crashes(ctx context.Context, o options) error {
	dir, remove, err := o.folder()
	if err != nil {
		return err
	}
	defer remove()
	file, err := overlay(o.root, filepath.Join(dir, "overlay"), "", crashPatches(), crashFiles())
	if err != nil {
		return err
	}
	binary := filepath.Join(dir, "forecourt")
	if err := build(ctx, o.root, binary, file); err != nil {
		return err
	}
	var wanted []death
	for _, d := range deaths() {
		if strings.Contains(d.point, o.only) {
			wanted = append(wanted, d)
		}
	}
	verdicts, next := make([]verdict, len(wanted)), make(chan int)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(next)
		for i := range wanted {
			select {
			case next <- i:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for n := range min(crashWorlds, len(wanted)) {
		group.Go(func() error {
			own := filepath.Join(dir, strconv.Itoa(n))
			if err := os.MkdirAll(own, 0o755); err != nil { //nolint:gosec // the cluster inside is closed
				return err
			}
			w, err := newWorld(ctx, own, binary, true, 0, 1)
			if err != nil {
				return err
			}
			defer w.close()
			w.gateways[0].front.lies = lied
			for i := range next {
				verdicts[i].what, verdicts[i].err = wanted[i].happen(ctx, w, i)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	broken := false
	for i, v := range verdicts {
		word := "kept  "
		if v.err != nil {
			word, broken, v.what = "BROKEN", true, v.err.Error()
		}
		fmt.Fprintf(o.out, "%s %s: %s\n", word, wanted[i].name, v.what)
	}
	if broken {
		return errBroken
	}
	return nil
}

// death is one death of the program or of a command.
type death struct {
	point, name string
	happen      func(ctx context.Context, w *world, n int) (string, error)
}

func deaths() []death {
	var all []death
	for _, p := range crashPoints() {
		all = append(all, death{p.name, fmt.Sprintf("died at %q with the card ending %s", p.name, p.card[12:]), func(ctx context.Context, w *world, n int) (string, error) {
			return w.crash(ctx, p, n)
		}})
	}
	for _, e := range errands() {
		all = append(all, death{e.name, fmt.Sprintf("command died at %q with the card ending %s", e.name, e.card[12:]), func(ctx context.Context, w *world, n int) (string, error) {
			return w.errand(ctx, e, n)
		}})
	}
	all = append(all, deskDeaths()...)
	return append(all, death{"import", "command died twice while it imported a ledger after a restore", func(ctx context.Context, w *world, _ int) (string, error) {
		dir := filepath.Join(w.dir, "import")
		found := (&drilled{binary: w.binary, dir: dir, data: filepath.Join(dir, "program"), patience: patience, deaths: importDeaths()}).judge(ctx)
		if found.broken > 0 {
			return "", fmt.Errorf("%d %s", found.broken, found.detail)
		}
		return "both books agree", nil
	}})
}

// importDeaths lists the points at which an import dies, one run after another.
func importDeaths() []string { return []string{"import, closed", "import, brought"} }

// verdict is the outcome of one death, or why it was wrong.
type verdict struct {
	what string
	err  error
}

// crash makes the program die at a point of a payment, starts it again, and follows to the end what the payer sees.
func (w *world) crash(ctx context.Context, point crashPoint, n int) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	dying, err := w.serve(ctx, "FORECOURT_CRASH="+point.name)
	if err != nil {
		return "", err
	}
	defer dying.kill()
	b := newBrowser(w.listen, 1).behind(n)
	at := shop{code: live}
	if at.items, err = b.menu(ctx, live); err != nil {
		return "", err
	}
	c := newCustomer(b, at, mathrand.New(mathrand.NewPCG(1, 1))) //nolint:gosec // no secret
	c.makeOrder(ctx)
	c.submit(ctx, rand.Text(), point.card, byForm)
	select {
	case <-dying.done:
	case <-ctx.Done():
		return "", errors.New("the program did not die there")
	}
	died := time.Now()
	if stored, err := w.attempts(ctx, c.trx); err != nil || (stored == 1) != point.claimed {
		return "", fmt.Errorf("%d attempts are stored then, %w", stored, err)
	}
	var left remains
	if point.mailer {
		if left, err = w.remains(ctx, point, c.trx); err != nil {
			return "", err
		}
	}
	again, err := w.serve(ctx)
	if err != nil {
		return "", err
	}
	defer again.kill()
	what, err := w.recover(ctx, c, died)
	switch {
	case err != nil:
		return "", err
	case !point.mailer: // the next death may be one of the mailer, which has to die over its own letter
		return what, w.awaitLetters(ctx, patience)
	}
	letters, err := w.deliver(ctx, point, left)
	return what + letters, err
}

// recover reloads the page until it shows an outcome, and compares it with both books.
func (w *world) recover(ctx context.Context, c *customer, died time.Time) (string, error) {
	state := c.look(ctx).state
	for ; state == "waiting" || state == ""; state = c.look(ctx).state {
		if ctx.Err() != nil {
			return "", errors.New("no outcome")
		}
		pause(ctx, reload)
	}
	took := time.Since(died)
	b, err := w.readBooks(ctx, time.Second)
	if err != nil {
		return "", err
	}
	heard := map[string]shown{c.trx: shownFailed} // a form says as much
	if state == "success" || state == "status" || state == "completed" || state == "refunded" {
		heard[c.trx] = shownPaid
	}
	for _, p := range append(append(judge(b, heard), judgeRefunds(b, nil)...), judgeEvents(b)) {
		if p.broken > 0 && p.name != "refunds told" { // from a command that died here earlier
			return "", fmt.Errorf("%d %s (the page says %s)", p.broken, p.detail, state)
		}
	}
	return fmt.Sprintf("the page says %s after %.1f s, both books agree", state, took.Seconds()), nil
}

// attempts counts a transaction's stored attempts.
func (w *world) attempts(ctx context.Context, trx string) (n int, err error) {
	return w.query(ctx, "SELECT count(*) FROM attempt WHERE transaction_id = $1", trx)
}
