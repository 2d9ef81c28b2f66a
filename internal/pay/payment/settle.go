package payment

import (
	"context"
	"time"

	"github.com/google/uuid"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/pay/gateway"
)

// try identifies the attempt being settled.
type try struct {
	id        uuid.UUID
	shop, trx string
	method    state.Method
}

// settle records what the gateway answered for an attempt. If the database does not answer, the attempt stays open for the sweep.
func (p *Payments) settle(ctx context.Context, t try, answer gateway.Answer) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	id, method := t.id, t.method
	log := p.log.With("attempt", id, "transaction", t.trx, "outcome", answer.Outcome)
	if answer.Err != nil {
		log.WarnContext(ctx, "a payment at the gateway went wrong", "error", answer.Err)
	}
	if answer.Outcome != gateway.Approved {
		p.keepDetails(ctx, id, answer)
	}
	rows, err := p.write(ctx, t, answer)
	manual := answer.Outcome == gateway.Mismatch
	if code := db.Refusal(err); code != "" {
		// The database will refuse this answer every time, so a person has to look.
		log.ErrorContext(ctx, "the gateway's answer could not be stored", "error", err)
		p.keepDetails(ctx, id, answer)
		why := "the answer could not be stored: " + code
		if db.IsTaken(err, "attempt_capture") {
			why = "the gateway gave the same transaction id for another payment"
			if owner, err := p.queries.CaptureOwner(ctx, answer.TransactionID, id); err == nil {
				why += ", " + owner
			}
		}
		rows, err = p.queries.AttemptManual(ctx, why, id)
		manual = true
	}
	p.uncount(ctx, id, t.trx)
	if rows > 0 || err != nil { // a commit whose answer was lost may have moved it, too
		p.announce(t.shop, t.trx)
	}
	switch {
	case err != nil:
		log.ErrorContext(ctx, "settling an attempt failed", "error", err)
	case rows == 0:
		p.compare(ctx, id, answer)
	case manual:
		log.ErrorContext(ctx, "payment needs manual review: run forecourt payments list", "reason", answer.Description)
		p.cfg.Settled(state.AttemptManual, method)
	default:
		log.InfoContext(ctx, "settled")
		p.cfg.Settled(p.stateAfter(answer), method)
	}
}

// keepDetails stores the details of an answer besides its outcome, for a person who may have to decide.
func (p *Payments) keepDetails(ctx context.Context, id uuid.UUID, answer gateway.Answer) {
	if answer.TransactionID == "" && answer.Code == "" && answer.Amount == 0 {
		return
	}
	err := p.queries.AttemptKeepDetails(ctx, db.AttemptKeepDetailsParams{
		ID: id, Transactionid: answer.TransactionID, Code: answer.Code, ToldMinor: answer.Amount, ToldCurrency: answer.Currency,
	})
	if err != nil {
		p.log.ErrorContext(ctx, "keeping the details of an answer failed", "attempt", id, "error", err)
	}
}

func (p *Payments) write(ctx context.Context, t try, answer gateway.Answer) (int64, error) {
	id := t.id
	switch answer.Outcome {
	case gateway.Approved:
		return p.approve(ctx, t, answer)
	case gateway.Declined:
		return p.refuse(ctx, id, state.AttemptDeclined, answer)
	case gateway.NotCharged:
		return p.refuse(ctx, id, state.AttemptNotCharged, answer)
	case gateway.Redirected:
		if p.mayRedirect(answer.Redirect) {
			return p.queries.AttemptRedirect(ctx, answer.Redirect, 4, id)
		}
		p.log.ErrorContext(ctx, "the gateway redirects to a host that is not listed", "attempt", id)
	case gateway.Mismatch:
		return p.queries.AttemptManual(ctx, answer.Err.Error(), id) // a mismatch says what differs
	}
	rows, err := p.queries.AttemptUnknown(ctx, "", id)
	p.wake()
	return rows, err
}

// stateAfter returns the state of an attempt after write has changed it.
func (p *Payments) stateAfter(answer gateway.Answer) state.Attempt {
	if final, ok := finalStates[answer.Outcome]; ok {
		return final
	}
	if answer.Outcome == gateway.Redirected && p.mayRedirect(answer.Redirect) {
		return state.AttemptRedirected
	}
	return state.AttemptUnknown
}

// finalStates maps the outcomes that end an attempt to its state.
var finalStates = map[gateway.Outcome]state.Attempt{
	gateway.Approved: state.AttemptApproved, gateway.Declined: state.AttemptDeclined, gateway.NotCharged: state.AttemptNotCharged,
}

func (p *Payments) refuse(ctx context.Context, id uuid.UUID, end state.Attempt, answer gateway.Answer) (int64, error) {
	return p.queries.AttemptRefuse(ctx, db.AttemptRefuseParams{
		ID: id, State: end, Transactionid: answer.TransactionID, Code: answer.Code, ErrorMsg: answer.Description,
	})
}

// compare checks an answer for an attempt that is already settled. The same outcome comes twice if the sweep asks while a slow send is
// under way. A different outcome means that the books miss money or record it wrongly.
func (p *Payments) compare(ctx context.Context, id uuid.UUID, answer gateway.Answer) {
	theirs := finalStates[answer.Outcome]
	attempt, err := p.queries.AttemptGet(ctx, id)
	if err != nil {
		p.log.ErrorContext(ctx, "comparing an answer with a settled attempt failed", "attempt", id, "error", err)
		return
	}
	ours := attempt.State
	if theirs == "" || theirs == ours || ours != state.AttemptApproved && theirs != state.AttemptApproved {
		return // nothing new, or both sides agree that no money moved
	}
	p.log.ErrorContext(ctx, "the gateway contradicts what was settled: see /staff/unmatched", "attempt", id, "ours", ours, "theirs", theirs)
	if _, err = p.queries.AttemptLater(ctx, string(theirs), id); err != nil {
		p.log.ErrorContext(ctx, "storing a later answer failed", "attempt", id, "error", err)
	}
}
