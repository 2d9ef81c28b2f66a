package gateway

import (
	"context"
	"strings"
	"time"

	"forecourt/db/state"
)

// Dispute is an entry about a disputed charge, which Entry.Reference names. Due is the deadline for the business's answer, or nil if the
// gateway gives none.
type Dispute struct {
	Entry
	State state.Dispute
	Due   *time.Time
}

// Disputes reads the dispute entries from (included) to (excluded), oldest first. It may return ErrNotServed.
func (c *Client) Disputes(ctx context.Context, from, to time.Time) ([]Dispute, error) {
	return readLedger(ctx, c, from, to, KindDispute, func(w entryWire) Dispute {
		d := Dispute{Entry: w.movement(), State: state.Dispute(strings.ToLower(w.State.line())), Due: w.Due}
		switch d.State {
		case state.DisputeOpened, state.DisputeWon, state.DisputeLost:
		default:
			d.Odd = "it is neither opened nor won nor lost"
		}
		return d
	})
}
