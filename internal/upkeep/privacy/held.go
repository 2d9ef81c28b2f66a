package privacy

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"forecourt/db"
	"forecourt/internal/kit/fault"
)

// Held is a reason why an account cannot be erased yet, with the business or form that it concerns. views/account says in words what the
// kinds mean, which the query ErasureHeld finds.
type Held = db.ErasureHeldRow

// HeldError means that an account cannot be erased yet.
type HeldError struct{ Why []Held }

func (e *HeldError) Error() string {
	kinds := make([]string, len(e.Why))
	for i, h := range e.Why {
		kinds[i] = strings.TrimSpace(h.Kind + " " + h.What)
	}
	return "the account cannot be erased yet: " + strings.Join(kinds, ", ")
}

// Unwrap returns a fault.Conflict.
func (e *HeldError) Unwrap() error {
	return fault.New(fault.Conflict, "the account cannot be erased yet")
}

// HeldBy returns the reasons why an account cannot be erased yet, none if it can.
func (p *Privacy) HeldBy(ctx context.Context, account uuid.UUID) ([]Held, error) {
	return p.queries.ErasureHeld(ctx, account)
}

func held(ctx context.Context, queries *db.Queries, id uuid.UUID) error {
	why, err := queries.ErasureHeld(ctx, id)
	if err == nil && len(why) > 0 {
		err = &HeldError{why}
	}
	return err
}
