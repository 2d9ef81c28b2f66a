package payment

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/internal/review"
)

var staffChoices = []review.Choice[End]{{State: EndApproved, Why: true}, {State: EndGivenBack, Why: true}, {State: EndNotCharged, Why: true}, {State: EndProposed}}

// Case is an attempt as staff see it, with the decision that one of them has proposed.
type Case struct {
	db.AttemptCaseRow
	Waits    bool        // for a person
	Why      string      // why it waits
	Proposal db.Proposal // version 0 if there is none
	History  []review.Event
}

// Case returns an attempt with its history. Errors: ErrMissing.
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
	if c.Proposal, err = p.proposalOf(ctx, attempt); err != nil {
		return nil, err
	}
	c.History, err = review.History(ctx, p.queries, attempt.String())
	return c, err
}

// DecideOrPropose takes the decision of a member of staff on an attempt that waits for a person. If its gateway does not confirm the
// decision, DecideOrPropose stores it as a proposal until somebody else decides EndProposed. seen is the version of the proposal that
// the person has looked at, 0 for none. Errors: those of review.Check and of Decide except AgainstError, review.ErrDecided,
// review.ErrNoDecision, ErrMissing, ErrOwnProposal.
func (p *Payments) DecideOrPropose(ctx context.Context, d Decision, seen int) error {
	var err error
	if d.Reason, err = review.Check(staffChoices, d.End, d.Reason); err != nil {
		return err
	}
	c, err := p.Case(ctx, d.Of)
	if err != nil {
		return err
	}
	return p.decideOrPropose(ctx, matter{waits: c.Waits, proposal: c.Proposal, decide: p.Decide}, d, seen)
}
