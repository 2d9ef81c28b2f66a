package settlement

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/run/mail"
)

// LetterDispute tells a business the state of a dispute; its data is DisputeData.
const LetterDispute = "dispute"

// DisputeData is the data of LetterDispute.
type DisputeData struct {
	Attempt uuid.UUID     `json:"attempt"`
	State   state.Dispute `json:"state"`
}

// ImportDisputes records the changes of disputes since the last import, and queues the letters about them.
func (s *Settlement) ImportDisputes(ctx context.Context) error {
	return s.read(ctx, gateway.KindDispute, func(at *gateway.Client, from, to time.Time) error {
		disputes, err := at.Disputes(ctx, from, to)
		if err != nil {
			return err
		}
		for _, d := range disputes {
			if err := s.record(ctx, d); err != nil {
				return err
			}
		}
		return nil
	})
}

// record records one entry about a dispute and queues the letter: both or neither.
func (s *Settlement) record(ctx context.Context, d gateway.Dispute) error {
	attempt, err := uuid.Parse(d.Reference)
	if err != nil {
		return s.unmatched(ctx, d.Entry, "the reference is not one of ours", false)
	}
	won := d.State == state.DisputeWon
	if !won && d.State != state.DisputeOpened && d.State != state.DisputeLost {
		return s.unmatched(ctx, d.Entry, fmt.Sprintf("a dispute, %q: %s", d.State, d.Odd), false)
	}
	var rows int64
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		queries := s.queries.WithTx(tx)
		rows, err = queries.DisputeSet(ctx, db.DisputeSetParams{
			AttemptID: attempt, AmountMinor: d.Amount, Currency: d.Currency, State: d.State, DueAt: d.Due, HappenedAt: d.At,
			Merchant: d.MerchantID, TestMode: d.TestMode,
		})
		if err != nil || rows == 0 {
			return err
		}
		if _, err := queries.UnmatchedClose(ctx, string(gateway.KindDispute), attempt.String()); err != nil {
			return err
		}
		if s.mail == nil {
			return nil
		}
		return s.mail.Add(ctx, tx, mail.Request{
			Kind: LetterDispute, Key: fmt.Sprintf("dispute/%s/%s/%d", attempt, d.State, d.At.Unix()), Data: DisputeData{attempt, d.State},
		})
	})
	if err != nil {
		return err
	}
	if rows > 0 {
		s.log.WarnContext(ctx, "a payment is disputed", "attempt", attempt, "transaction", d.TrxID, "state", d.State, "due", d.Due)
		return nil
	}
	known, err := s.queries.DisputeKnown(ctx, attempt)
	if err != nil || known && !d.At.IsZero() {
		return err
	}
	switch {
	case d.Odd != "":
		return s.unmatched(ctx, d.Entry, "a dispute, "+string(d.State)+": "+d.Odd, won)
	case d.Amount == 0:
		return s.unmatched(ctx, d.Entry, "a dispute about no money", true)
	}
	return s.unmatched(ctx, d.Entry, "a dispute, "+string(d.State)+", about a payment that we do not know as paid", won)
}

// unmatched stores an entry that matches nothing here, and reports it once, and once more when it is closed.
func (s *Settlement) unmatched(ctx context.Context, e gateway.Entry, problem string, closed bool) error {
	rows, err := s.queries.UnmatchedAdd(ctx, db.UnmatchedAddParams{
		Kind: string(e.Kind), Reference: e.Reference, TrxID: e.TrxID, Transactionid: e.TransactionID,
		AmountMinor: e.Amount, Currency: e.Currency, MovedAt: e.At, Problem: problem, Closed: closed,
	})
	if rows > 0 {
		s.log.ErrorContext(
			ctx, "the gateway's ledger differs", "kind", e.Kind, "reference", e.Reference, "transaction", e.TrxID, "problem", problem,
		)
	}
	return err
}
