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
	"forecourt/internal/card"
	"forecourt/internal/fault"
	"forecourt/internal/gateway"
)

// Card is what a payer typed, checked, and where it came from. It lives in memory for one call to the gateway.
type Card struct {
	Name   string
	Email  string
	Number card.Number
	Expiry card.Expiry
	CVC    card.CVC
	From   netip.Addr // of the payer's request, for the limits; may be zero
}

// Why a transaction cannot be paid just now.
var (
	// ErrHeld is a transaction that another attempt holds.
	ErrHeld = fault.New(fault.Conflict, "another attempt holds the transaction")
	// ErrDeclined is a transaction whose last attempt was declined: Try Again comes first.
	ErrDeclined = fault.New(fault.Conflict, "the last attempt was declined")
	// ErrExpired is an order that nobody paid in time, or that was made before its merchant changed between test and
	// live.
	ErrExpired = fault.New(fault.Gone, "the transaction has expired")
	// ErrPaused is an order of a business that takes none while no kitchen screen looks.
	ErrPaused = fault.New(fault.Conflict, "no kitchen screen looks")
	// ErrRestored is any transaction between a restore and the import of the gateway's ledger, and one of the backup until it is
	// known what the gateway had not decided: it may be paid.
	ErrRestored = fault.New(fault.Unavailable, "the gateway's ledger is not imported after a restore")
	// ErrMissing is an id that is not one of this client's.
	ErrMissing = fault.New(fault.NotFound, "no such transaction")
)

// SoldOutError names what of an order can no longer be had.
type SoldOutError struct{ Names []string }

func (e *SoldOutError) Error() string { return "sold out: " + strings.Join(e.Names, ", ") }

// Unwrap makes it a conflict.
func (e *SoldOutError) Unwrap() error { return fault.New(fault.Conflict, "an item is sold out") }

// PaidError is a transaction that another form has paid. Whoever posts this one may be somebody else, so it says nothing of
// who paid.
type PaidError struct {
	Amount   int64 // minor units
	Currency string
	At       time.Time
}

func (e *PaidError) Error() string { return "paid by another form" }

// Unwrap makes it a conflict.
func (e *PaidError) Unwrap() error { return fault.New(fault.Conflict, "paid by another form") }

// PayCard pays a transaction by card. key is the idempotency key of the form: the same key again returns the attempt it
// made and sends nothing. The attempt is returned as it stands when the gateway answered, or after 3 s when it did not
// answer yet. Errors: ErrMissing, ErrHeld, ErrDeclined, ErrExpired, ErrPaused, ErrRestored, PaidError, SoldOutError,
// LimitError, fault.Unavailable.
func (p *Payments) PayCard(ctx context.Context, client, id, key string, c Card) (db.Attempt, error) {
	return p.pay(ctx, c.Number, c.From, db.AttemptClaimParams{
		TransactionID: id, ClientCode: client, FormKey: key, Method: state.Card,
		CardBrand: c.Number.Brand(), CardLastFour: c.Number.LastFour(), CardExpiry: c.Expiry.String(),
		PayerName: c.Name, PayerEmail: c.Email,
	}, func(ctx context.Context, attempt uuid.UUID, claimed db.AttemptClaimRow) gateway.Answer {
		return p.gateway.PayCard(ctx, gateway.CardPayment{
			MerchantID: client, TrxID: id, Reference: attempt.String(), Amount: claimed.AmountMinor,
			Currency: claimed.Currency, TestMode: claimed.TestMode, Cardholder: c.Name, PAN: c.Number, Exp: c.Expiry,
			CVC: c.CVC, Email: c.Email, Descriptor: p.cfg.Descriptor(client), ReturnURL: p.cfg.ReturnURL(client, id),
		})
	})
}

// charge calls the gateway for an attempt whose claim is committed.
type charge func(ctx context.Context, attempt uuid.UUID, claimed db.AttemptClaimRow) gateway.Answer

// pay claims the transaction for an attempt, whatever its method, and charges it. number is zero where nobody knows it. claim
// lacks the attempt's id and lease, and what it counts for.
func (p *Payments) pay(ctx context.Context, number card.Number, from netip.Addr, claim db.AttemptClaimParams, charge charge) (db.Attempt, error) {
	if p.closing.Load() {
		return db.Attempt{}, fault.New(fault.Unavailable, "shutting down")
	}
	if err := p.count(ctx, &claim, number, from); err != nil {
		return db.Attempt{}, err
	}
	attempt := uuid.New()
	claim.ID, claim.LeaseSeconds, claim.Gateway = attempt, p.lease(), p.gateway.ID()
	claimed, err := p.queries.AttemptClaim(ctx, claim)
	switch {
	case errors.Is(err, pgx.ErrNoRows), db.IsTaken(err):
		return p.explain(ctx, claim)
	case err != nil:
		// The claim may be committed or not; nothing was sent, so the sweep finds it not charged.
		return db.Attempt{}, err
	}
	settled := p.send(ctx, try{attempt, claim.ClientCode, claim.TransactionID, claim.Method}, func(ctx context.Context) gateway.Answer {
		return charge(ctx, attempt, claimed)
	})
	select {
	case <-settled:
	case <-time.After(patience):
	case <-ctx.Done():
	}
	return p.queries.AttemptGet(context.WithoutCancel(ctx), attempt)
}

// Before returns the attempt that a form with this key made, if there is one.
func (p *Payments) Before(ctx context.Context, client, id, key string) (attempt db.Attempt, found bool, err error) {
	attempt, err = p.queries.AttemptByKey(ctx, id, client, key)
	if errors.Is(err, pgx.ErrNoRows) {
		return attempt, false, nil
	}
	return attempt, err == nil, err
}

// send calls the gateway once, away from the browser's request: a customer who leaves must not leave a payment behind
// that nobody settles.
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

// explain tells why a claim took nothing.
func (p *Payments) explain(ctx context.Context, claim db.AttemptClaimParams) (db.Attempt, error) {
	client, id, key := claim.ClientCode, claim.TransactionID, claim.FormKey
	row, err := p.queries.TransactionGet(ctx, id, client)
	if errors.Is(err, pgx.ErrNoRows) {
		return db.Attempt{}, ErrMissing
	}
	if err != nil {
		return db.Attempt{}, err
	}
	if same, found, err := p.Before(ctx, client, id, key); err != nil || found {
		return same, err
	}
	t := row.Transaction
	switch {
	case t.ApprovedAttempt != nil:
		return db.Attempt{}, &PaidError{Amount: t.AmountMinor, Currency: t.Currency, At: *t.PaidAt}
	case t.Status == state.Error:
		return db.Attempt{}, ErrDeclined
	case t.Status == state.Expired, row.Overdue, t.Status == state.New && t.TestMode == row.Client.Live:
		return db.Attempt{}, ErrExpired
	case t.Status != state.New:
		return db.Attempt{}, ErrHeld
	}
	if closed, err := p.queries.RestorePending(ctx, id); err != nil || closed {
		return db.Attempt{}, cmp.Or(err, error(ErrRestored))
	}
	names, err := p.queries.OrderLineUnavailable(ctx, id, client)
	if err != nil {
		return db.Attempt{}, err
	}
	if len(names) > 0 {
		return db.Attempt{}, &SoldOutError{Names: names}
	}
	if t.Kind == "order" {
		if paused, err := p.queries.KitchenPaused(ctx, client); err != nil || paused {
			return db.Attempt{}, cmp.Or(err, error(ErrPaused))
		}
	}
	// Without a limit it was free again by the time we looked.
	return db.Attempt{}, cmp.Or(p.explainLimit(ctx, claim), error(ErrHeld))
}
