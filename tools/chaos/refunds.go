package main

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// backOffice gives payments back with the program's own command, at most a few at a time, or on the business's desk.
type backOffice struct {
	binary string
	env    func() ([]string, error) // of the command
	slots  chan struct{}
	desk   *counter // nil: only by command

	mu     sync.Mutex
	killed int
	forms  int // steps made on the desk
	heard  map[string]refunded
}

// refunded is what whoever ran the command was told of a payment: cents that were given back, all when everything was.
type refunded struct {
	cents   int64
	all     bool
	nothing bool // no definite answer came for one of the refunds
}

func newBackOffice(binary string, env func() ([]string, error)) *backOffice {
	return &backOffice{binary: binary, env: env, slots: make(chan struct{}, 3), heard: map[string]refunded{}}
}

// steps are the refunds of one payment, one after the other; "" gives all back that is left.
var steps = [][]string{{""}, {"1.00"}, {"1.00", "0.50"}, {"1.00", ""}}

// refund gives a payment of a shop back, partly or fully, until each step has a definite answer.
func (o *backOffice) refund(ctx context.Context, shop, trx string, patience time.Duration, r *rand.Rand) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var told refunded
	for _, amount := range steps[r.IntN(len(steps))] {
		step := o.step
		if o.byDesk(r) {
			step = func(ctx context.Context, trx, amount string, _ *rand.Rand) outcome {
				return o.desk.step(ctx, shop, trx, amount)
			}
		}
		switch step(ctx, trx, amount, r) {
		case backDone:
			told.cents += cents(amount)
			told.all = told.all || amount == ""
		case backUnknown:
			told.nothing = true
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.heard[trx] = told
}

// outcome is what one run of the command tells.
type outcome int

const (
	backUnknown  outcome = iota
	backDeclined         // by the gateway
	backDone             // now or before
)

// step runs the same command twice side by side, now and then killing one of them, and then again until it tells.
func (o *backOffice) step(ctx context.Context, trx, amount string, r *rand.Rand) outcome {
	killAfter := time.Duration(0)
	if r.IntN(4) == 0 {
		killAfter = time.Duration(50+r.IntN(400)) * time.Millisecond
	}
	var other outcome
	var beside sync.WaitGroup
	beside.Go(func() { other = o.run(ctx, trx, amount, killAfter) })
	told := o.run(ctx, trx, amount, 0)
	beside.Wait()
	for told = max(told, other); told == backUnknown && ctx.Err() == nil; told = o.run(ctx, trx, amount, 0) {
		pause(ctx, reload)
	}
	return told
}

// run runs the command once; it is killed after killAfter unless that is 0.
func (o *backOffice) run(ctx context.Context, trx, amount string, killAfter time.Duration) outcome {
	o.slots <- struct{}{}
	defer func() { <-o.slots }()
	limit := 20 * time.Second
	if killAfter > 0 {
		limit = killAfter
		o.mu.Lock()
		o.killed++
		o.mu.Unlock()
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	args := []string{"refund", trx}
	if amount != "" {
		args = append(args, "--amount", amount)
	}
	cmd := exec.CommandContext(ctx, o.binary, args...)
	env, err := o.env()
	if err != nil {
		return backUnknown
	}
	var said bytes.Buffer
	cmd.Env, cmd.Stdout, cmd.Stderr = env, &said, &said
	_ = cmd.Run() // the words tell more than the exit code
	return readRefund(said.String(), amount)
}

// readRefund reads what the command said. That nothing is left is as good as done for who wanted everything back.
func readRefund(said, amount string) outcome {
	switch {
	case strings.Contains(said, "Refunded "), strings.Contains(said, "an equal refund was done already"),
		amount == "" && strings.Contains(said, "that is more than is left"):
		return backDone
	case strings.Contains(said, "The gateway declined"), strings.Contains(said, "the payment is disputed"):
		return backDeclined
	default:
		return backUnknown
	}
}
