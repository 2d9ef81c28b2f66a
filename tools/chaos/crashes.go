package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"path/filepath"
	"time"

	"forecourt/db/embedded"

	"github.com/jackc/pgx/v5"
)

// crashes is the command: the crash matrix.
func crashes(ctx context.Context, o options) error {
	dir, remove, err := o.folder()
	if err != nil {
		return err
	}
	defer remove()
	file, err := overlay(o.root, filepath.Join(dir, "overlay"), crashPatches(), crashFiles())
	if err != nil {
		return err
	}
	binary := filepath.Join(dir, "forecourt")
	if err := build(ctx, o.root, binary, file); err != nil {
		return err
	}
	w, err := newWorld(ctx, dir, binary, true)
	if err != nil {
		return err
	}
	defer w.close()
	broken := false
	for _, point := range crashPoints() {
		if o.only != "" && o.only != point.name {
			continue
		}
		what, err := w.crash(ctx, point)
		verdict := "kept  "
		if err != nil {
			verdict, broken, what = "BROKEN", true, err.Error()
		}
		fmt.Fprintf(o.out, "%s died at %q with the card ending %s: %s\n", verdict, point.name, point.card[12:], what)
	}
	if broken {
		return errBroken
	}
	return ctx.Err()
}

// crash lets the program die at a point of a payment, starts it again, and follows what a payer sees to the end.
func (w *world) crash(ctx context.Context, point crashPoint) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	dying, err := w.serve(ctx, "FORECOURT_CRASH="+point.name)
	if err != nil {
		return "", err
	}
	defer dying.kill()
	b := newBrowser(w.listen, 1)
	items, err := b.menu(ctx)
	if err != nil {
		return "", err
	}
	c := &customer{browser: b, items: items, rand: mathrand.New(mathrand.NewPCG(1, 1)), used: func(string) {}} //nolint:gosec // no secret
	c.makeOrder(ctx)
	c.submit(ctx, c.trx, rand.Text(), point.card, byForm)
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
	if err != nil || !point.mailer {
		return what, err
	}
	letters, err := w.deliver(ctx, point, left)
	return what + letters, err
}

// recover reloads the page until it tells an outcome, and compares it with both books.
func (w *world) recover(ctx context.Context, c *customer, died time.Time) (string, error) {
	state := c.look(ctx, c.trx).state
	for ; state == "waiting" || state == ""; state = c.look(ctx, c.trx).state {
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
	heard := map[string]told{c.trx: toldFailed} // a form says as much
	if state == "success" || state == "status" || state == "completed" {
		heard[c.trx] = toldPaid
	}
	for _, p := range append(judge(b, heard), judgeRefunds(b, nil)...) {
		if p.broken > 0 {
			return "", fmt.Errorf("%d %s (the page says %s)", p.broken, p.detail, state)
		}
	}
	return fmt.Sprintf("the page says %s after %.1f s, both books agree", state, took.Seconds()), nil
}

// attempts counts what is stored of a transaction's payment.
func (w *world) attempts(ctx context.Context, trx string) (n int, err error) {
	conn, err := pgx.Connect(ctx, w.database.DSN(embedded.Database))
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close(ctx) }()
	err = conn.QueryRow(ctx, "SELECT count(*) FROM attempt WHERE transaction_id = $1", trx).Scan(&n)
	return n, err
}
