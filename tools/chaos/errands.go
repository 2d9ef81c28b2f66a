package main

import (
	"context"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// errand is a command about a payment that dies at a point while no program serves. Running the same command again and the sweep have to
// finish it.
type errand struct {
	name, card string
	// command brings the payment to the point where the command applies, and returns the command's arguments.
	command func(ctx context.Context, w *world, c *customer) ([]string, error)
	ends    []string // one of these is the command's output when there is nothing left to do
	after   []string // a command that follows when the first is too late, nil for none; its last argument is the transaction
}

// The last lines that the commands print.
var (
	refundEnds = []string{"Refunded ", "an equal refund was already made", "that is more than is left", "The gateway declined"}
	decideEnds = []string{" now.\n", "does not wait for a decision"}
	readEnds   = []string{" differences\n"}
)

// pendingRefund is a little longer than the sandbox's ledger hides a pending refund.
const pendingRefund = 5 * time.Second

func errands() []errand {
	var all []errand
	for _, point := range []string{"refund, inside the claim", "refund, claimed", "refund, answer read", "refund, inside", "refund, settled"} {
		all = append(all, errand{name: point, card: approves, command: refundCommand, ends: refundEnds})
	}
	all = append(all,
		errand{name: "refund, inside", card: backDeclines, command: refundCommand, ends: refundEnds},
		errand{name: "refund, answer read", card: backBreaks, command: refundCommand, ends: refundEnds},
		errand{name: "refund, decided", card: backPends, command: decideRefund, ends: decideEnds},
	)
	for _, point := range []string{"decide, asked", "decide, inside", "decide, committed"} {
		all = append(all, errand{name: point, card: lied, command: decide("approved"), ends: decideEnds})
	}
	for _, point := range []string{"decide, inside", "decide, committed", "refund, claimed", "refund, answer read", "refund, inside"} {
		all = append(all, errand{name: point, card: lied, command: decide("given_back"), ends: decideEnds, after: []string{"refund"}})
	}
	for _, point := range []string{"dispute, inside", "dispute, recorded", "ledger, read"} {
		all = append(all, errand{name: point, card: disputed, command: readLedgers, ends: readEnds})
	}
	for _, point := range []string{"payout, inside", "payout, added"} {
		all = append(all, errand{name: point, card: approves, command: readLedgers, ends: readEnds})
	}
	return all
}

func refundCommand(_ context.Context, _ *world, c *customer) ([]string, error) {
	return []string{"refund", c.trx}, nil
}

// decide ends a payment that the gateway approved with another amount.
func decide(end string) func(context.Context, *world, *customer) ([]string, error) {
	return func(ctx context.Context, w *world, c *customer) ([]string, error) {
		id, err := w.text(ctx, "SELECT id::text FROM attempt WHERE transaction_id = $1 AND state = 'manual'", c.trx)
		return []string{"payments", "decide", id, end, "--reason", "chaos"}, err
	}
}

// decideRefund ends a refund whose gateway is no longer set up.
func decideRefund(ctx context.Context, w *world, c *customer) ([]string, error) {
	said, _ := w.command(ctx, "refund", c.trx)
	id, err := w.text(ctx, "SELECT id::text FROM refund WHERE transaction_id = $1 AND state = 'pending'", c.trx)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, said)
	}
	w.stage.Store(stageSecond)
	return []string{"payments", "decide", id, "done", "--reason", "chaos", "--against-gateway", "nobody", "--gateway-says", "nothing, since it is not set up"}, nil
}

// readLedgers reads disputes and payouts.
func readLedgers(ctx context.Context, w *world, _ *customer) ([]string, error) {
	for _, g := range w.gateways {
		if _, err := g.acquirer(ctx, "/sandbox/payout", nil); err != nil {
			return nil, err
		}
	}
	return []string{"reconcile"}, nil
}

// errand pays, makes the command die, runs it again beside the program, and compares all books, including the payouts.
func (w *world) errand(ctx context.Context, e errand, n int) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	defer w.stage.Store(stageFirst)
	c, err := w.paid(ctx, e.card, n)
	if err != nil {
		return "", err
	}
	args, err := e.command(ctx, w, c)
	if err != nil {
		return "", err
	}
	env, err := w.env()
	if err != nil {
		return "", err
	}
	if err := die(ctx, w.binary, env, e.name, args...); err != nil {
		return "", err
	}
	died := time.Now()
	again, err := w.serve(ctx)
	if err != nil {
		return "", err
	}
	defer again.kill()
	if err := w.insist(ctx, args, e.ends); err != nil {
		return "", err
	}
	if e.after != nil {
		if err := w.insist(ctx, append(e.after, c.trx), refundEnds); err != nil {
			return "", err
		}
	}
	w.stage.Store(stageFirst) // the program that serves may stay at the second
	took := time.Since(died)
	if e.card == backPends {
		pause(ctx, time.Until(died.Add(pendingRefund)))
	}
	if err := w.agree(ctx); err != nil {
		return "", err
	}
	return fmt.Sprintf("done after %.1f s, both books and the payouts agree", took.Seconds()), w.awaitLetters(ctx, patience)
}

// agree fails unless all books agree, including the payouts.
func (w *world) agree(ctx context.Context) error {
	settled, err := w.settle(ctx)
	if err != nil {
		return err
	}
	b, err := w.readBooks(ctx, stuckAfter*time.Second)
	if err != nil {
		return err
	}
	for _, p := range append(append(append(judge(b, nil), judgeRefunds(b, nil)...), settled...), judgeEvents(b)) {
		if p.broken > 0 && p.name != "refunds told" {
			return fmt.Errorf("%d %s", p.broken, p.detail)
		}
	}
	return nil
}

// paid pays an order while the program serves, then stops the program.
func (w *world) paid(ctx context.Context, card string, n int) (*customer, error) {
	serving, err := w.serve(ctx)
	if err != nil {
		return nil, err
	}
	defer serving.kill()
	b := newBrowser(w.listen, 1).behind(n)
	at := shop{code: live}
	if at.items, err = b.menu(ctx, live); err != nil {
		return nil, err
	}
	c := newCustomer(b, at, mathrand.New(mathrand.NewPCG(1, 1))) //nolint:gosec // no secret
	c.makeOrder(ctx)
	c.submit(ctx, "errand", card, byForm)
	return c, nil
}

// die runs a command that has to die at a point, as in a power cut.
func die(ctx context.Context, binary string, env []string, point string, args ...string) error {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = append(env, "FORECOURT_CRASH="+point)
	said, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL && ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("%s did not die at %q: %w, %s", args[0], point, err, said)
}

// insist runs a command until it prints one of ends.
func (w *world) insist(ctx context.Context, args, ends []string) error {
	said := ""
	for ctx.Err() == nil {
		said, _ = w.command(ctx, args...)
		for _, end := range ends {
			if strings.Contains(said, end) {
				return nil
			}
		}
		pause(ctx, reload)
	}
	return fmt.Errorf("%s comes to no end: %s", strings.Join(args, " "), said)
}
