package privacy

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"forecourt/db"
	"forecourt/internal/fault"
)

// HeldKind is a reason why an account cannot be erased yet.
type HeldKind string

// The kinds.
const (
	HeldStaff    HeldKind = "staff"    // the person decides about others
	HeldOwner    HeldKind = "owner"    // nobody else owns a business that is live or has a team
	HeldKnown    HeldKind = "known"    // a live business would have no known owner left
	HeldMail     HeldKind = "mail"     // a live business's receipts go to the account's address
	HeldForm     HeldKind = "form"     // a form waits for a decision
	HeldIdentity HeldKind = "identity" // identities wait for a decision, and nobody else runs the record
	HeldGoLive   HeldKind = "golive"   // going live waits for a decision
	HeldDemo     HeldKind = "demo"     // everybody knows the account's password
)

// Held is one reason with the business or form that it concerns, "" for none.
type Held struct {
	Kind HeldKind
	What string
}

// HeldError means that an account cannot be erased yet.
type HeldError struct{ Why []Held }

func (e *HeldError) Error() string {
	kinds := make([]string, len(e.Why))
	for i, h := range e.Why {
		kinds[i] = strings.TrimSpace(string(h.Kind) + " " + h.What)
	}
	return "the account cannot be erased yet: " + strings.Join(kinds, ", ")
}

// Unwrap returns a fault.Conflict.
func (e *HeldError) Unwrap() error {
	return fault.New(fault.Conflict, "the account cannot be erased yet")
}

// HeldBy returns the reasons why an account cannot be erased yet, none if it can.
func (p *Privacy) HeldBy(ctx context.Context, account uuid.UUID) ([]Held, error) {
	rows, err := p.queries.ErasureHeld(ctx, account)
	return reasons(rows), err
}

func held(ctx context.Context, queries *db.Queries, person db.ErasureAccountLockRow) error {
	rows, err := queries.ErasureHeld(ctx, person.ID)
	if err != nil {
		return err
	}
	if why := reasons(rows); len(why) > 0 {
		return &HeldError{why}
	}
	return nil
}

func reasons(rows []db.ErasureHeldRow) []Held {
	var why []Held
	for _, r := range rows {
		why = append(why, Held{HeldKind(r.Kind), r.What})
	}
	return why
}
