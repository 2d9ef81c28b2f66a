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

// backOffice refunds payments with the program's own command, a few at a time, or on the business's desk.
type backOffice struct {
	binary   string
	env      func() ([]string, error) // of the command
	gateways []*gateway               // whose ledgers are looked at when a refund waits for a person
	slots    chan struct{}
	desk     *counter // nil for refunds by command only

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

func newBackOffice(binary string, env func() ([]string, error), gateways []*gateway) *backOffice {
	return &backOffice{binary: binary, env: env, gateways: gateways, slots: make(chan struct{}, 3), heard: map[string]refunded{}}
}

// steps lists the refunds that a payment may get, one after another. "" gives back everything that is left.
var steps = [][]string{{""}, {"1.00"}, {"1.00", "0.50"}, {"1.00", ""}}

// refund gives a shop's payment back, partly or fully, and repeats each step until it has a definite answer.
func (o *backOffice) refund(ctx context.Context, shop, trx string, patience time.Duration, r *rand.Rand) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var all refunded
	for _, amount := range steps[r.IntN(len(steps))] {
		step := o.step
		if o.byDesk(r) {
			step = func(ctx context.Context, trx, amount string, _ *rand.Rand) outcome {
				return o.desk.step(ctx, shop, trx, amount)
			}
		}
		told := step(ctx, trx, amount, r)
		if told == backManual {
			told = o.decide(ctx, trx)
		}
		switch told {
		case backDone:
			all.cents += cents(amount)
			all.all = all.all || amount == ""
		case backUnknown:
			all.nothing = true
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.heard[trx] = all
}

// outcome is the result of one run of the command.
type outcome int

const (
	backUnknown  outcome = iota
	backDeclined         // by the gateway
	backManual           // waits for a person
	backDone             // now or before
)

// step runs the same command twice at the same time, sometimes killing one of them, and then again until the outcome is known.
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

// run runs the command once and kills it after killAfter, unless that is 0.
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
	_ = cmd.Run() // the output says more than the exit code
	return readRefund(said.String(), amount)
}

// readRefund reads the command's output. For a refund of everything, that nothing is left means that it is done.
func readRefund(said, amount string) outcome {
	switch {
	case strings.Contains(said, "Refunded "), strings.Contains(said, "an equal refund was already made"),
		amount == "" && strings.Contains(said, "that is more than is left"):
		return backDone
	case strings.Contains(said, "waits for a person"):
		return backManual
	case strings.Contains(said, "The gateway declined"), strings.Contains(said, "the payment is disputed"):
		return backDeclined
	default:
		return backUnknown
	}
}
