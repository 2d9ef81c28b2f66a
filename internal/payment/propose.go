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

// Reasons why staff cannot confirm a proposal.
var (
	// ErrOwnProposal means that a person tried to confirm their own proposal.
	ErrOwnProposal = fault.New(fault.Conflict, "somebody else has to confirm the proposal")
	// ErrNewAnswer means that the gateway's answer has changed since the people who overrule it looked at it. They have to look and decide
	// again.
	ErrNewAnswer = fault.New(fault.Conflict, "the gateway's answer has changed")
)

// EndProposed ends an attempt or a refund in the way that somebody else has proposed.
const EndProposed End = "confirm"

// matter is an attempt or a refund that staff decide.
type matter struct {
	waits    bool // for a person
	proposal db.Proposal
	decide   func(context.Context, Decision) error
}

// decideOrPropose decides a matter if its gateway confirms the decision. Otherwise it stores the decision until somebody else decides
// EndProposed. seen is the version of the proposal that the person has looked at, 0 for none.
func (p *Payments) decideOrPropose(ctx context.Context, m matter, d Decision, seen int) error {
	if !m.waits || seen != int(m.proposal.Version) {
		return review.ErrDecided
	}
	if d.End != EndProposed {
		d.Against, d.Seen, d.proposal = "", "", db.Proposal{}
		err := m.decide(ctx, d)
		if against := (*AgainstError)(nil); errors.As(err, &against) {
			return p.propose(ctx, d, m.proposal.Version, against)
		}
		return err
	}
	switch {
	case m.proposal.Version == 0:
		return review.ErrNoDecision
	case m.proposal.ProposedBy == d.By:
		return ErrOwnProposal
	}
	return m.decide(ctx, Decision{
		Of: d.Of, End: End(m.proposal.Decision), By: m.proposal.ProposedBy, Reason: m.proposal.Reason, Against: d.By,
		TransactionID: m.proposal.Transactionid, Seen: m.proposal.Says, proposal: m.proposal, remark: d.Reason,
	})
}

// proposalOf returns the proposal about an attempt or a refund, or the zero Proposal if there is none.
func (p *Payments) proposalOf(ctx context.Context, id uuid.UUID) (db.Proposal, error) {
	made, err := p.queries.ProposalGet(ctx, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return db.Proposal{}, nil
	}
	return made, err
}

// propose stores a decision for somebody else to confirm. It replaces the proposal with the given version; 0 means that there is none yet.
func (p *Payments) propose(ctx context.Context, d Decision, version int32, against *AgainstError) error {
	return pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
		queries := p.queries.WithTx(tx)
		rows, err := queries.ProposalSet(ctx, db.ProposalSetParams{
			Subject: d.Of, Decision: string(d.End), Reason: d.Reason, ProposedBy: d.By, Version: version,
			Transactionid: d.TransactionID, Says: against.Says,
		})
		if err != nil {
			return err
		}
		if rows == 0 {
			return review.ErrDecided
		}
		return queries.AuditAdd(ctx, db.AuditAddParams{
			Actor: d.By, Action: "propose " + string(d.End), Subject: d.Of.String(), Reason: d.Reason + "\nThe gateway says: " + against.Says + ".",
		})
	})
}

// vouched returns nil if somebody else, who has seen what the gateway says, vouches for a decision that the gateway does not confirm.
// Errors: AgainstError; ErrNewAnswer joined with an AgainstError if that person saw a different answer.
func (d Decision) vouched(says string) error {
	switch {
	case d.Against == "":
		return &AgainstError{says}
	case d.Seen != says:
		return errors.Join(ErrNewAnswer, &AgainstError{says})
	}
	return nil
}

// record writes a decision to the audit log, deletes the proposal about its subject and closes what it books at /staff/unmatched. It
// returns zero rows if the proposal that the decision confirms is gone.
func record(ctx context.Context, queries *db.Queries, d Decision, action, says string) (rows int64, err error) {
	add := func(actor, action, reason string) error {
		return queries.AuditAdd(ctx, db.AuditAddParams{Actor: actor, Action: action, Subject: d.Of.String(), Reason: reason})
	}
	if d.proposal.Version == 0 {
		err = queries.ProposalDrop(ctx, d.Of)
	} else if rows, err = queries.ProposalTake(ctx, d.Of, d.proposal.Version, d.Against); err == nil {
		if rows == 0 {
			return 0, nil
		}
		err = add(d.Against, "confirm proposal", d.remark)
	}
	if err == nil && d.Against != "" {
		err = add(d.By, "decide against the gateway", "with "+d.Against+"; the gateway says: "+says)
	}
	if err == nil {
		err = add(d.By, action, d.Reason)
	}
	if err == nil && (d.End == EndApproved || d.End == EndDone) {
		err = queries.UnmatchedBooked(ctx, d.Of.String(), movedTwice)
	}
	return 1, err
}
