package payment

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
)

// challengeFor is how long a customer has to answer the bank before the attempt is resolved.
const challengeFor = 10 * time.Minute

// Returned asks the gateway how 3-D Secure, a challenge by the customer's bank, ended when the customer has returned: nothing in the
// request that brings them back is believed. It asks at most once a second for each transaction. After an error the sweep takes over.
func (p *Payments) Returned(ctx context.Context, shop, id string) {
	p.challenge(ctx, shop, id, false)
}

// challenge asks about the challenge that a transaction waits for, and resolves it if it is to be closed.
func (p *Payments) challenge(ctx context.Context, shop, id string, end bool) {
	leased, err := p.queries.AttemptLeaseChallenge(ctx, db.AttemptLeaseChallengeParams{
		TransactionID: id, ShopCode: shop, Now: end, Gateways: p.gatewayIDs(),
	})
	if err != nil {
		if !errors.Is(err, pgx.ErrNoRows) {
			p.log.WarnContext(ctx, "asking about a challenge failed", "transaction", id, "error", err)
		}
		return
	}
	row := db.AttemptLeaseRow(leased)
	done := make(chan struct{})
	p.work.Add(1)
	go func() {
		defer p.work.Done()
		defer close(done)
		p.resolve(context.WithoutCancel(ctx), row, end)
	}()
	select {
	case <-done:
	case <-time.After(patience):
	case <-ctx.Done():
	}
}

// Retry is Try Again: it lets a declined transaction be paid again. If the customer gives up a challenge, Retry closes that at the gateway
// first. Errors: ErrHeld if the transaction's state does not allow it.
func (p *Payments) Retry(ctx context.Context, shop, id string) error {
	row, err := p.queries.TransactionGet(ctx, id, shop)
	if errors.Is(err, pgx.ErrNoRows) {
		return ErrMissing
	}
	if err != nil {
		return err
	}
	if row.Transaction.Status == state.Processing && row.AttemptState == state.AttemptRedirected {
		p.challenge(ctx, shop, id, true)
	}
	if row.Transaction.Status == state.New {
		return nil // a second tap
	}
	freed, err := p.Free(ctx, shop, id)
	if err == nil && !freed {
		return ErrHeld
	}
	return err
}

// Free lets a transaction be paid again if its last payment failed, and reports whether it did. Other transactions stay as they
// are.
func (p *Payments) Free(ctx context.Context, shop, id string) (bool, error) {
	rows, err := p.queries.TransactionRetry(ctx, id, shop)
	if rows > 0 {
		p.announce(shop, id)
	}
	return rows > 0, err
}
