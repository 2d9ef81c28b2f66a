package settlement

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/pay/gateway"
)

// ImportPayouts records the payouts since the last import with their movements, and lists the movements that are in no payout.
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
		return s.listUnsettled(ctx)
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
		rows, err := queries.PayoutAdd(ctx, db.PayoutAddParams{
			ID: p.ID, ShopCode: p.MerchantID, Currency: p.Currency, TestMode: p.TestMode,
			GrossMinor: p.Gross, FeesMinor: p.Fees, NetMinor: p.Net, PaidAt: p.At,
		})
		if err != nil {
			return err
		}
		if rows == 0 {
			return s.repeat(ctx, queries, p)
		}
		if _, err := queries.UnmatchedClose(ctx, string(gateway.KindPayout), p.ID); err != nil { // it came again, in order
			return err
		}
		if err := queries.PayoutLineAdd(ctx, p.ID, p.References); err != nil {
			return err
		}
		return place(ctx, queries, p.ID)
	})
}

// repeat stores the figures of a payout whose id is already known, if they differ.
func (s *Settlement) repeat(ctx context.Context, queries *db.Queries, p gateway.Payout) error {
	says := fmt.Sprintf(
		"gross %s, fees %s, net %s %s to %s", money.Wire(p.Gross), money.Wire(p.Fees), money.Wire(p.Net), p.Currency, p.MerchantID,
	)
	rows, err := queries.PayoutRepeat(ctx, db.PayoutRepeatParams{
		ID: p.ID, Says: says, ShopCode: p.MerchantID, Currency: p.Currency, TestMode: p.TestMode,
		GrossMinor: p.Gross, FeesMinor: p.Fees, NetMinor: p.Net,
	})
	if rows > 0 {
		s.log.ErrorContext(ctx, "the gateway reused a payout id with different figures", "payout", p.ID, "says", says)
	}
	return err
}

// ErrNoDoubt means that Findings does not list a payout.
var ErrNoDoubt = fault.New(fault.Conflict, "the payout is not listed")

// AcceptPayout accepts a payout as it is, so that Findings no longer lists it, and records who did it and why. If the payout's id comes
// again with other figures, Findings lists it again. Errors: ErrNoDoubt.
func (s *Settlement) AcceptPayout(ctx context.Context, id, by, reason string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		rows, err := queries.PayoutAccept(ctx, id)
		if err != nil {
			return err
		}
		if rows == 0 {
			return ErrNoDoubt
		}
		return queries.AuditAdd(ctx, db.AuditAddParams{Actor: by, Action: "accept payout", Subject: id, Reason: reason})
	})
}

// lockKey is the key of the lock that UnsettledLock takes: "payout".
const lockKey = 0x7061796f7574

// place matches the movements of a payout with our records and adds them up.
func place(ctx context.Context, queries *db.Queries, payout string) error {
	if err := queries.UnsettledLock(ctx, lockKey); err != nil {
		return err
	}
	if err := queries.PayoutLinePlace(ctx, payout); err != nil {
		return err
	}
	return queries.PayoutSum(ctx, payout)
}

// placeAgain looks again for the movements that match nothing: an import after a restore may have added them, or a dispute may have become
// known.
func (s *Settlement) placeAgain(ctx context.Context) error {
	payouts, err := s.queries.PayoutListUnplaced(ctx)
	if err != nil {
		return err
	}
	for _, id := range payouts {
		err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error { return place(ctx, s.queries.WithTx(tx), id) })
		if err != nil {
			return err
		}
	}
	return nil
}
