package payment

import (
	"context"
	"fmt"
	"time"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/run/tracing"
)

const (
	sweepEvery    = time.Second // how often the sweep looks for payments without an outcome
	sweepWorkers  = 8           // how many it asks about at once
	refundWorkers = 2           // separate ones: refunds that hang must not delay payments
)

// Sweep resolves attempts and refunds that timeouts, crashes and lost commits left open, until ctx ends. Several processes may sweep one
// database, because only one of them leases an attempt at a time.
func (p *Payments) Sweep(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		p.sweepOnce(ctx)
		p.sweepRefunds(ctx)
		select {
		case <-tick.C:
		case <-p.kick:
		case <-ctx.Done():
			return
		}
	}
}

// wake makes the sweep look now rather than at its next tick.
func (p *Payments) wake() {
	select {
	case p.kick <- struct{}{}:
	default:
	}
}

// sweepOnce leases as many attempts as there are free workers, and hands them over.
func (p *Payments) sweepOnce(ctx context.Context) {
	free := cap(p.slots) - len(p.slots)
	if free == 0 || p.closing.Load() {
		return
	}
	leased, err := p.queries.AttemptLease(ctx, p.lease().Seconds(), p.gatewayIDs(), int32(free)) //nolint:gosec // at most sweepWorkers
	if err != nil {
		if ctx.Err() == nil {
			p.log.WarnContext(ctx, "the sweep failed", "error", err)
		}
		return
	}
	for _, attempt := range leased {
		p.inSlot(p.slots, func() { p.resolve(context.WithoutCancel(ctx), attempt, false) })
	}
}

// inSlot runs work in a free slot. It never blocks, because only the sweep's goroutine takes slots, and only as many as are free.
func (p *Payments) inSlot(slots chan struct{}, work func()) {
	slots <- struct{}{}
	p.work.Add(1)
	go func() {
		defer func() { <-slots; p.work.Done() }()
		work()
	}()
}

// resolve asks the gateway that an attempt was sent to, which is one of gateways, how the attempt ended. It does not close a challenge that
// the customer may still answer. In logs and traces it belongs to the request that began the attempt, whoever asks.
func (p *Payments) resolve(ctx context.Context, a db.AttemptLeaseRow, end bool) {
	ctx, ended := p.cfg.Trace(tracing.Origin{Request: a.Request, Trace: a.Trace}.Resume(ctx), "resolve payment")
	defer ended()
	if a.Age > ManualAfter && a.State != state.AttemptRedirected {
		p.log.ErrorContext(
			ctx, fmt.Sprintf("a payment has been open for more than %.0f minutes", ManualAfter.Minutes()), "attempt", a.ID, "state", a.State,
		)
	}
	want := gateway.Want{
		Reference: a.ID.String(), MerchantID: a.ShopCode, TestMode: a.TestMode, Amount: a.AmountMinor, Currency: a.Currency,
		Wallet: a.Method != state.Card,
	}
	var answer gateway.Answer
	waits := a.State == state.AttemptRedirected && a.Age <= challengeFor && !end
	if waits {
		answer = p.at(a.Gateway).Look(ctx, want)
	} else {
		answer = p.at(a.Gateway).Resolve(ctx, want)
	}
	switch answer.Outcome {
	case gateway.Approved, gateway.Declined, gateway.NotCharged, gateway.Mismatch:
		p.settle(ctx, try{a.ID, a.ShopCode, a.TransactionID, a.Method}, answer)
	default:
		p.keepDetails(ctx, a.ID, answer)
		if answer.Err != nil && !waits { // nothing is wrong with a customer who takes time
			p.log.WarnContext(ctx, "resolving an attempt failed", "attempt", a.ID, "error", answer.Err)
		}
		if err := p.queries.AttemptDefer(ctx, a.ID); err != nil {
			p.log.WarnContext(ctx, "deferring an attempt failed", "attempt", a.ID, "error", err)
		}
		p.uncount(ctx, a.ID, a.TransactionID)
	}
}
