package settlement

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/gateway"
)

// ImportPayouts records the payouts since the last import with their movements.
func (s *Settlement) ImportPayouts(ctx context.Context) error {
	return s.read(ctx, gateway.KindPayout, func(at *gateway.Client, from, to time.Time) error {
		payouts, err := at.Payouts(ctx, from, to)
		if err != nil {
			return err
		}
		if err := s.placeAgain(ctx); err != nil {
			return err
		}
		// A charge comes before its dispute.
		slices.SortStableFunc(payouts, func(a, b gateway.Payout) int { return a.At.Compare(b.At) })
		for _, p := range payouts {
			if err := s.add(ctx, p); err != nil {
				return err
			}
		}
		return s.queries.PayoutsRead(ctx, time.Duration(s.days)*24*time.Hour)
	})
}

// described returns what tells a payout without an id from others: its time, its amount and its first payment.
func described(p gateway.Payout) string {
	words := []string{p.At.UTC().Format(time.RFC3339), money.Wire(p.Net)}
	return strings.Join(append(words, p.References[:min(1, len(p.References))]...), " ")
}

// add records a payout with all its movements, unless it is already known.
func (s *Settlement) add(ctx context.Context, p gateway.Payout) error {
	if p.Odd != "" {
		return s.unmatched(ctx, gateway.Entry{
			Kind: gateway.KindPayout, Reference: cmp.Or(p.ID, described(p)), Amount: p.Net, Currency: p.Currency, At: p.At,
		}, p.Odd, false)
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		number, err := queries.PayoutAdd(ctx, db.PayoutAddParams{
			Gateway: p.Gateway, ID: p.ID, ShopCode: p.MerchantID, Currency: p.Currency, TestMode: p.TestMode,
			GrossMinor: p.Gross, FeesMinor: p.Fees, NetMinor: p.Net, PaidAt: p.At, ReferenceList: p.References,
		})
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := queries.UnmatchedClose(ctx, string(gateway.KindPayout), p.ID); err != nil { // it came again, in order
			return err
		}
		if err := queries.PayoutLineAdd(ctx, number, p.References); err != nil {
			return err
		}
		return queries.PayoutPlace(ctx, number)
	})
}

// ErrNoDoubt means that Findings does not list a payout.
var ErrNoDoubt = fault.New(fault.Conflict, "the payout is not listed")

// AcceptPayout accepts the payout with a number as it is, so that Findings no longer lists it, and records who did it and why. Errors:
// ErrNoDoubt.
func (s *Settlement) AcceptPayout(ctx context.Context, number int64, by, reason string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		rows, err := queries.PayoutAccept(ctx, number)
		if err != nil {
			return err
		}
		if rows == 0 {
			return ErrNoDoubt
		}
		p, err := queries.PayoutGet(ctx, number)
		if err != nil {
			return err
		}
		return queries.AuditAdd(ctx, db.AuditAddParams{Actor: by, Action: "accept payout", Subject: subjectOf(p.Payout), Reason: reason})
	})
}

// placeAgain looks again for the movements that match nothing: an import after a restore may have added them, or a dispute may have become
// known.
func (s *Settlement) placeAgain(ctx context.Context) error {
	payouts, err := s.queries.PayoutListUnplaced(ctx)
	if err != nil {
		return err
	}
	for _, number := range payouts {
		if err := s.queries.PayoutPlace(ctx, number); err != nil {
			return err
		}
	}
	return nil
}
