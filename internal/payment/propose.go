package payment

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/fault"
	"forecourt/internal/review"
)

// ErrOwnProposal is somebody who confirms what they proposed themselves.
var ErrOwnProposal = fault.New(fault.Conflict, "somebody else has to confirm the proposal")

// EndProposed ends an attempt as somebody else has proposed.
const EndProposed End = "confirm"

var staffChoices = []review.Choice[End]{{State: EndApproved, Why: true}, {State: EndGivenBack, Why: true}, {State: EndNotCharged, Why: true}, {State: EndProposed}}

// Case is an attempt as staff see it, with the decision that one of them has proposed.
type Case struct {
	db.AttemptCaseRow
	Waits   bool   // for a person
	Why     string // it waits
	History []review.Event
}

// Case returns an attempt with what happened to it. Errors: ErrMissing.
func (p *Payments) Case(ctx context.Context, attempt uuid.UUID) (*Case, error) {
	row, err := p.queries.AttemptCase(ctx, attempt)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, ErrMissing
	}
	if err != nil {
		return nil, err
	}
	c := &Case{AttemptCaseRow: row, Why: p.Why(row.Gateway, row.ErrorMsg, row.CreatedAt)}
	if c.Waits, err = p.queries.AttemptWaits(ctx, attempt, p.gatewayIDs()); err != nil {
		return nil, err
	}
	c.History, err = review.History(ctx, p.queries, attempt.String())
	return c, err
}

// DecideOrPropose ends an attempt that waits for a person of the staff if its gateway confirms the decision. A decision that it does
// not confirm is only written down, until somebody else decides EndProposed. Seen is the version of the proposal that the person
// has looked at, 0 for none. Errors: Decide's but AgainstError, review.Check's, review.ErrDecided, ErrMissing, ErrOwnProposal.
func (p *Payments) DecideOrPropose(ctx context.Context, d Decision, seen int) error {
	var err error
	if d.Reason, err = review.Check(staffChoices, d.End, d.Reason); err != nil {
		return err
	}
	c, err := p.Case(ctx, d.Attempt)
	if err != nil {
		return err
	}
	switch {
	case !c.Waits, seen != int(c.Version):
		return review.ErrDecided
	case d.End != EndProposed:
		d.Against = ""
		err := p.Decide(ctx, d)
		if against := (*AgainstError)(nil); errors.As(err, &against) {
			return p.propose(ctx, d, c.Version, against.Says)
		}
		return err
	case c.Version == 0:
		return review.ErrNoDecision
	case c.ProposedBy == d.By:
		return ErrOwnProposal
	}
	return p.Decide(ctx, Decision{
		Attempt: d.Attempt, End: End(c.Proposed), By: c.ProposedBy, Reason: c.ProposedReason, Against: d.By,
		proposal: c.Version, remark: d.Reason,
	})
}

// propose writes a decision down for somebody else to confirm, in place of the proposal of a version.
func (p *Payments) propose(ctx context.Context, d Decision, version int32, says string) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		queries := p.queries.WithTx(tx)
		rows, err := queries.ProposalSet(ctx, db.ProposalSetParams{
			AttemptID: d.Attempt, Decision: string(d.End), Reason: d.Reason, ProposedBy: d.By, Version: version,
		})
		if err != nil {
			return err
		}
		if rows == 0 {
			return review.ErrDecided
		}
		return queries.AuditAdd(ctx, db.AuditAddParams{
			Actor: d.By, Action: "propose " + string(d.End), Subject: d.Attempt.String(), Reason: d.Reason + "\nThe gateway says: " + says + ".",
		})
	})
}

// takeProposal takes the proposal that a decision confirms. Any other is done with.
func takeProposal(ctx context.Context, queries *db.Queries, d Decision) error {
	if d.proposal == 0 {
		return queries.ProposalDrop(ctx, d.Attempt)
	}
	rows, err := queries.ProposalTake(ctx, d.Attempt, d.proposal, d.Against)
	if err != nil {
		return err
	}
	if rows == 0 {
		return ErrNotManual
	}
	return queries.AuditAdd(ctx, db.AuditAddParams{Actor: d.Against, Action: "confirm proposal", Subject: d.Attempt.String(), Reason: d.remark})
}
