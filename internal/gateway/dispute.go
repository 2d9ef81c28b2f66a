package gateway

import (
	"context"
	"errors"
	"strings"
	"time"
)

// DisputeState is the state of a dispute.
type DisputeState string

// A dispute is opened by the cardholder, then won or lost by the business.
const (
	DisputeOpened DisputeState = "opened"
	DisputeWon    DisputeState = "won"
	DisputeLost   DisputeState = "lost"
)

// Dispute is an entry about a disputed charge, which Entry.Reference names. Due is the deadline for the business's answer; nil if
// the gateway does not give one.
type Dispute struct {
	Entry
	State DisputeState
	Due   *time.Time
}

// Disputes reads the dispute entries from (included) to (excluded), oldest first. It may return ErrNotServed.
func (c *Client) Disputes(ctx context.Context, from, to time.Time) ([]Dispute, error) {
	return readLedger(ctx, c, from, to, KindDispute, func(w entryWire) (Dispute, error) {
		e, err := w.movement()
		d := Dispute{Entry: e, State: DisputeState(strings.ToLower(string(w.State))), Due: w.Due}
		switch d.State {
		case DisputeOpened, DisputeWon, DisputeLost:
		default:
			err = errors.Join(err, errors.New("the gateway's ledger has a dispute that is neither opened nor won nor lost"))
		}
		return d, err
	})
}
