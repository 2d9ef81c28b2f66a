package payment

import (
	"cmp"
	"context"
	"errors"
	"net/netip"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/typed"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/run/tracing"
)

// Card is a checked CardInput and where it came from. It lives in memory for one call to the gateway.
type Card struct {
	Name   string
	Email  string
	Number card.Number
	Expiry typed.Expiry
	CVC    card.CVC
	From   netip.Addr // of the payer's request, for the limits; may be zero
}

// Reasons why a transaction cannot be paid just now.
var (
	// ErrHeld means that another attempt holds the transaction, or that the gateway's ledger and our books differ about it.
	ErrHeld = fault.New(fault.Conflict, "another attempt or a person's check holds the transaction")
	// ErrDeclined means that the last attempt was declined and the payer has not chosen Try Again.
	ErrDeclined = fault.New(fault.Conflict, "the last attempt was declined")
	// ErrExpired means that nobody paid the order in time.
	ErrExpired = fault.New(fault.Gone, "the transaction has expired")
	// ErrUnconfirmed is the ErrExpired of a transaction that ended because nobody knows whether an attempt was charged.
	ErrUnconfirmed = fault.Wrap(fault.Gone, ErrExpired, "the gateway did not confirm whether an earlier attempt was charged")
	// ErrOtherMode is the ErrExpired of a transaction whose merchant has since changed between test and live.
	ErrOtherMode = fault.Wrap(fault.Gone, ErrExpired, "the merchant has changed between test and live")
	// ErrPaused means that the business takes no orders while no kitchen screen is watching.
	ErrPaused = fault.New(fault.Conflict, "no kitchen screen is watching")
	// ErrRestored means that a restore closed the transaction, which may already be paid. All transactions are closed until the gateway's
	// ledger is imported; those of the backup stay closed until it is known what the gateway had not decided.
	ErrRestored = fault.New(fault.Unavailable, "a restore has closed this payment: run forecourt reconcile --import")
	// ErrMissing means that the shop has no transaction with this id.
	ErrMissing = fault.New(fault.NotFound, "no such transaction")
)

// SoldOutError names the items of an order that are no longer available.
type SoldOutError struct{ Names []string }

func (e *SoldOutError) Error() string { return "sold out: " + strings.Join(e.Names, ", ") }

// Unwrap returns a fault.Conflict.
func (e *SoldOutError) Unwrap() error { return fault.New(fault.Conflict, "an item is sold out") }

// PaidError means that another form has paid the transaction. It does not say who paid, because the caller may be somebody else.
type PaidError struct {
	Amount   int64 // minor units
	Currency string
	At       time.Time
}

func (e *PaidError) Error() string { return "paid by another form" }

// Unwrap returns a fault.Conflict.
func (e *PaidError) Unwrap() error { return fault.New(fault.Conflict, "paid by another form") }

// PayCard pays a transaction by card. key is the form's idempotency key: a second call with the same key returns the attempt of the first
// and sends nothing. PayCard returns the attempt as it is when the gateway has answered, or after 3 s without an answer. Errors:
// ErrMissing, ErrHeld, ErrDeclined, ErrExpired, ErrPaused, ErrRestored, PaidError, SoldOutError, LimitError, fault.Unavailable.
func (p *Payments) PayCard(ctx context.Context, shop, id, key string, c Card) (db.Attempt, error) {
	return p.pay(ctx, c.Number, c.From, db.AttemptClaimParams{
		TransactionID: id, ShopCode: shop, FormKey: key, Method: state.Card,
		CardBrand: c.Number.Brand(), CardLastFour: c.Number.LastFour(), CardExpiry: c.Expiry.String(),
		PayerName: c.Name, PayerEmail: c.Email,
	}, func(ctx context.Context, attempt uuid.UUID, claimed db.AttemptClaimRow) gateway.Answer {
		return p.gateway.PayCard(ctx, gateway.CardPayment{
			Want: want(shop, attempt, claimed), TrxID: id, Cardholder: c.Name, PAN: c.Number, Exp: c.Expiry, CVC: c.CVC, Email: c.Email,
			Descriptor: p.cfg.Descriptor(shop), ReturnURL: p.cfg.ReturnURL(shop, id),
		})
	})
}

// want is what the gateway is asked for a claimed attempt.
func want(shop string, attempt uuid.UUID, claimed db.AttemptClaimRow) gateway.Want {
	return gateway.Want{
		Reference: attempt.String(), MerchantID: shop, TestMode: claimed.TestMode, Amount: claimed.AmountMinor, Currency: claimed.Currency,
	}
}

// charge calls the gateway for an attempt whose claim is committed.
type charge func(ctx context.Context, attempt uuid.UUID, claimed db.AttemptClaimRow) gateway.Answer

// pay claims the transaction for an attempt of any method and charges it. number is zero if it is unknown. pay fills in the claim's attempt
// id, lease, gateway and origin.
func (p *Payments) pay(
	ctx context.Context, number card.Number, from netip.Addr, claim db.AttemptClaimParams, charge charge,
) (db.Attempt, error) {
	if p.closing.Load() {
		return db.Attempt{}, fault.New(fault.Unavailable, "shutting down")
	}
	// A second click on Pay drops the request of the first. If that cut off the claim, it might still be committed and hold the transaction
	// although nothing was sent. So only the wait for the gateway ends with the request.
	request := ctx
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), p.lease())
	defer cancel()
	attempt := uuid.New()
	claim.ID, claim.LeaseSeconds, claim.Gateway = attempt, p.lease().Seconds(), p.gateway.ID()
	origin := tracing.OriginOf(ctx)
	claim.Request, claim.Trace = origin.Request, origin.Trace
	claim.TransactionLimit, claim.LimitWindow = int32(p.cfg.Limits.transaction()), LimitWindow //nolint:gosec // a setting
	tally, refused, err := p.count(ctx, claim, number, from)
	switch {
	case err != nil:
		return db.Attempt{}, err
	case refused:
		return p.explain(ctx, claim, tally)
	}
	claimed, err := p.queries.AttemptClaim(ctx, claim)
	switch {
	case errors.Is(err, pgx.ErrNoRows), db.IsTaken(err):
		p.uncount(ctx, attempt, claim.TransactionID)
		return p.explain(ctx, claim, tally)
	case err != nil:
		// The claim may be committed or not; nothing was sent, so the sweep finds it not charged.
		return db.Attempt{}, err
	}
	settled := p.send(ctx, try{attempt, claim.ShopCode, claim.TransactionID, claim.Method}, func(ctx context.Context) gateway.Answer {
		return charge(ctx, attempt, claimed)
	})
	select {
	case <-settled:
	case <-time.After(patience):
	case <-request.Done():
	}
	return p.queries.AttemptGet(context.WithoutCancel(ctx), attempt)
}

// Before returns the attempt that a form with this key made, if there is one.
func (p *Payments) Before(ctx context.Context, shop, id, key string) (attempt db.Attempt, found bool, err error) {
	attempt, err = p.queries.AttemptByKey(ctx, id, shop, key)
	if errors.Is(err, pgx.ErrNoRows) {
		return attempt, false, nil
	}
	return attempt, err == nil, err
}

// secretKey is how long a form's key is that nobody can guess, in characters: base64 writes 128 bits with so many.
const secretKey = 22

// Guessable reports whether a payment was made with this key, which somebody else may guess. Who sends it again does not learn who paid.
func (p *Payments) Guessable(ctx context.Context, shop, id, key string) (guessable bool, err error) {
	if len(key) < secretKey {
		_, guessable, err = p.Before(ctx, shop, id, key)
	}
	return guessable, err
}

// send calls the gateway once, independently of the browser's request, so that a customer who leaves does not leave behind a payment that
// nobody settles.
func (p *Payments) send(ctx context.Context, t try, call func(context.Context) gateway.Answer) <-chan struct{} {
	ctx = context.WithoutCancel(ctx)
	settled := make(chan struct{})
	p.work.Add(1)
	go func() {
		defer p.work.Done()
		defer close(settled)
		p.settle(ctx, t, call(ctx))
	}()
	return settled
}

// explain returns the reason why a claim failed.
func (p *Payments) explain(ctx context.Context, claim db.AttemptClaimParams, tally db.LimitCountParams) (db.Attempt, error) {
	shop, id, key := claim.ShopCode, claim.TransactionID, claim.FormKey
	row, err := p.queries.TransactionGet(ctx, id, shop)
	if errors.Is(err, pgx.ErrNoRows) {
		return db.Attempt{}, ErrMissing
	}
	if err != nil {
		return db.Attempt{}, err
	}
	t := row.Transaction
	if row.InQuestion && t.ApprovedAttempt == nil && t.Status != state.Processing {
		return db.Attempt{}, ErrHeld // also for the form whose attempt moved no money, as far as we know
	}
	if same, found, err := p.Before(ctx, shop, id, key); err != nil || found {
		return same, err
	}
	switch {
	case t.ApprovedAttempt != nil:
		return db.Attempt{}, &PaidError{Amount: row.Position.Amount(), Currency: t.Currency, At: *t.PaidAt}
	case t.Status == state.Error:
		return db.Attempt{}, ErrDeclined
	case t.Status == state.Expired && t.ErrorMsg == SaidUnconfirmed:
		return db.Attempt{}, ErrUnconfirmed
	case t.TestMode == row.Shop.Live && (t.Status == state.New || t.Status == state.Expired && t.Kind == state.OrderKind):
		return db.Attempt{}, ErrOtherMode
	case t.Status == state.Expired, row.Overdue:
		return db.Attempt{}, ErrExpired
	case t.Status != state.New:
		return db.Attempt{}, ErrHeld
	}
	if closed, err := p.queries.RestorePending(ctx, id); err != nil || closed {
		return db.Attempt{}, cmp.Or(err, error(ErrRestored))
	}
	lines, err := p.queries.OrderLineList(ctx, id, shop)
	if err != nil {
		return db.Attempt{}, err
	}
	if gone := unavailable(lines); len(gone) > 0 {
		return db.Attempt{}, &SoldOutError{Names: gone}
	}
	if t.Kind == state.OrderKind {
		if paused, err := p.queries.KitchenPaused(ctx, shop); err != nil || paused {
			return db.Attempt{}, cmp.Or(err, error(ErrPaused))
		}
	}
	// No limit was reached, so the transaction has become free since.
	return db.Attempt{}, cmp.Or(p.explainLimit(ctx, claim, tally), error(ErrHeld))
}
