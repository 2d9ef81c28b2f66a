package main

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// waitingRefund is a refund without an outcome, as the program lists it. AmountMinor is in cents.
type waitingRefund struct {
	ID, TransactionID, State string
	AmountMinor              int64
}

// decide ends the refund of a payment that waits for a person, as people do: they look into the gateways' ledgers and say what is there. A refund
// waits for them if its first answer was lost and its payment is disputed, since the program does not send it again then.
func (o *backOffice) decide(ctx context.Context, trx string) outcome {
	pause(ctx, delivery) // until nothing of it is on its way any more
	for ; ctx.Err() == nil; pause(ctx, reload) {
		all, err := o.waiting(ctx)
		if err != nil {
			continue
		}
		if i := slices.IndexFunc(all, func(r waitingRefund) bool { return r.TransactionID == trx }); i >= 0 {
			if told := o.end(ctx, all[i].ID); told != backUnknown {
				return told
			}
		}
	}
	return backUnknown
}

// decideRest ends the refunds that wait for a person although nobody was told so, because the command that began them was killed. It returns once no
// refund waits, or after limit.
func (o *backOffice) decideRest(ctx context.Context, limit time.Duration) {
	for end := time.Now().Add(limit); time.Now().Before(end) && ctx.Err() == nil; pause(ctx, reload) {
		all, err := o.waiting(ctx)
		if err == nil && len(all) == 0 {
			return
		}
		for _, r := range all {
			if r.State == "manual" && o.end(ctx, r.ID) == backDone {
				told := o.heard[r.TransactionID]
				told.cents += r.AmountMinor
				o.heard[r.TransactionID] = told
			}
		}
	}
}

// end ends a refund as the gateways' ledgers have it. It returns backUnknown if that fails.
func (o *backOffice) end(ctx context.Context, id string) outcome {
	made, err := o.made(ctx, id)
	if err != nil {
		return backUnknown
	}
	end, told := "declined", backDeclined
	if made {
		end, told = "done", backDone
	}
	said, _ := o.command(ctx, "payments", "decide", id, end, "--reason", "as the ledger says", "--against-gateway", "a colleague",
		"--gateway-says", "nothing, since it is not asked to refund a disputed payment")
	if !slices.ContainsFunc(decideEnds, func(end string) bool { return strings.Contains(said, end) }) {
		return backUnknown
	}
	return told
}

// waiting lists the refunds that have no outcome yet.
func (o *backOffice) waiting(ctx context.Context) (all []waitingRefund, err error) {
	said, err := o.command(ctx, "payments", "--refunds", "--json")
	if err == nil {
		err = json.Unmarshal([]byte(said), &all)
	}
	return all, err
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
