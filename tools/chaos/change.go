package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// change restarts the program with another gateway, which does not know what was sent to the first, and then configures the first as the
// previous one. In between, the program must leave open what was sent to the first, and list it.
func (f *faults) change(w *world, k *keeper) []cut {
	return []cut{
		{"kill", func(ctx context.Context) error { return w.stand(ctx, k, stageSecond) }},
		{"kill", func(ctx context.Context) error {
			found, err := w.elsewhere(ctx)
			f.promises = append(f.promises, found)
			if err != nil {
				return err
			}
			return errors.Join(w.setCurrency(ctx, "sabona", "NZD"), w.stand(ctx, k, stageTogether))
		}},
		{"payout", func(ctx context.Context) error { _, err := w.payOut(ctx); return err }},
	}
}

// stand restarts the program for another stage.
func (w *world) stand(ctx context.Context, k *keeper, stage int32) error {
	w.stage.Store(stage)
	return k.kill(ctx)
}

// elsewhere compares what the program lists as waiting for a gateway that is not set up with what was sent there and is still open.
func (w *world) elsewhere(ctx context.Context) (promise, error) {
	open, err := w.query(ctx, `SELECT (SELECT count(*) FROM attempt WHERE state IN ('submitting', 'redirected', 'unknown') AND gateway = 'first')
		+ (SELECT count(*) FROM refund WHERE state IN ('open', 'pending') AND gateway = 'first')`)
	if err != nil {
		return promise{}, err
	}
	said, err := w.command(ctx, "payments")
	if err != nil {
		return promise{}, fmt.Errorf("%w: %s", err, said)
	}
	listed := strings.Count(said, "sent to first, which is not set up")
	return promise{"elsewhere", max(open-listed, listed-open), fmt.Sprintf("payments and refunds (%d) that waited for a gateway that was not set up and were not listed", open)}, nil
}
