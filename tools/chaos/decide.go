package main

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// decide ends the refund of a payment that waits for a person, as people do: they look into the gateways' ledgers and say what is there. A refund
// waits for them if its first answer was lost and its payment is disputed, since the program does not send it again then.
func (o *backOffice) decide(ctx context.Context, trx string) outcome {
	pause(ctx, delivery) // until nothing of it is on its way any more
	for ; ctx.Err() == nil; pause(ctx, reload) {
		id, err := o.waiting(ctx, trx)
		if err != nil || id == "" {
			continue
		}
		made, err := o.made(ctx, id)
		if err != nil {
			continue
		}
		end, told := "declined", backDeclined
		if made {
			end, told = "done", backDone
		}
		said, _ := o.command(ctx, "payments", "decide", id, end, "--reason", "as the ledger says", "--against-gateway", "a colleague",
			"--gateway-says", "nothing, since it is not asked to refund a disputed payment")
		if slices.ContainsFunc(decideEnds, func(end string) bool { return strings.Contains(said, end) }) {
			return told
		}
	}
	return backUnknown
}

// waiting returns the id of a payment's refund that has no outcome yet, or "" without one.
func (o *backOffice) waiting(ctx context.Context, trx string) (string, error) {
	said, err := o.command(ctx, "payments", "--refunds", "--json")
	if err != nil {
		return "", err
	}
	var all []struct{ ID, TransactionID string }
	if err := json.Unmarshal([]byte(said), &all); err != nil {
		return "", err
	}
	for _, r := range all {
		if r.TransactionID == trx {
			return r.ID, nil
		}
	}
	return "", nil
}

// made reports whether a refund is in a gateway's ledger.
func (o *backOffice) made(ctx context.Context, id string) (bool, error) {
	for _, g := range o.gateways {
		entries, err := g.ledger(ctx, "refund")
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(entries, func(e entry) bool { return e.Reference == id }) {
			return true, nil
		}
	}
	return false, nil
}

// command runs one of the program's commands and returns its output.
func (o *backOffice) command(ctx context.Context, args ...string) (string, error) {
	env, err := o.env()
	if err != nil {
		return "", err
	}
	return command(ctx, o.binary, env, args...)
}
