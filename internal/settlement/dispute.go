package settlement

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/gateway"
	"forecourt/internal/mail"
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
			if err := s.record(ctx, d); err != nil { // mutant: a lost dispute not heard of
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
		return s.unmatched(ctx, d, "the reference is not one of ours")
	}
	if d.Amount == 0 {
		return s.unmatched(ctx, d, "a dispute about no money")
	}
	var rows int64
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		rows, err = s.queries.WithTx(tx).DisputeSet(ctx, db.DisputeSetParams{
			AttemptID: attempt, AmountMinor: d.Amount, Currency: d.Currency, State: d.State, DueAt: d.Due, HappenedAt: d.At,
		})
		if err != nil || rows == 0 || s.mail == nil {
			return err
		}
		return s.mail.Add(ctx, tx, mail.Request{
			Kind: LetterDispute, Key: "dispute/" + attempt.String() + "/" + string(d.State), Data: DisputeData{attempt, d.State},
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
	if err != nil || known {
		return err
	}
	return s.unmatched(ctx, d, "a dispute about a payment that we do not know as paid")
}

// unmatched stores a dispute that matches no payment here, and reports it once.
func (s *Settlement) unmatched(ctx context.Context, d gateway.Dispute, problem string) error {
	rows, err := s.queries.UnmatchedAdd(ctx, db.UnmatchedAddParams{
		Kind: string(gateway.KindDispute), Reference: d.Reference, TrxID: d.TrxID, Transactionid: d.TransactionID,
		AmountMinor: d.Amount, Currency: d.Currency, MovedAt: d.At, Problem: problem,
	})
	if rows > 0 {
		s.log.ErrorContext(ctx, "the gateway's ledger differs", "kind", d.Kind, "reference", d.Reference, "transaction", d.TrxID, "problem", problem)
	}
	return err
}
