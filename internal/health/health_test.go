package health_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"forecourt/internal/health"
)

func TestABoardKnowsWhatWorksSinceWhen(t *testing.T) {
	t.Parallel()
	var away error
	gateway, mail := true, true
	board := health.New(health.Config{
		Store:   func(context.Context) error { return away },
		Gateway: func() bool { return gateway }, Mail: func() bool { return mail }, Log: slog.New(slog.DiscardHandler),
	})
	before := board.Parts()
	for _, step := range []struct {
		name                                 string
		away                                 error
		gateway, mail                        bool
		ordering, payments, gateways, letter bool
	}{
		{"all is well", nil, true, true, true, true, true, true},
		{"without a database nothing can be ordered or paid", errors.New("gone"), true, true, false, false, true, true},
		{"the database is still away", errors.New("gone"), true, true, false, false, true, true},
		{"without a gateway guests may order", nil, false, true, true, false, false, true},
		{"without mail guests may pay", nil, true, false, true, true, true, false},
		{"all is well again", nil, true, true, true, true, true, true},
	} {
		away, gateway, mail = step.away, step.gateway, step.mail
		board.Look(t.Context())
		want := map[health.Part]bool{
			health.Ordering: step.ordering, health.Payments: step.payments, health.Gateway: step.gateways, health.Mail: step.letter,
		}
		now := board.Parts()
		for i, part := range now {
			changed := part.Works != before[i].Works
			if part.Works != want[part.Part] || part.Since.After(before[i].Since) != changed || time.Since(part.Since) < 0 {
				t.Errorf("%s: %+v after %+v", step.name, part, before[i])
			}
		}
		before = now
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	away = context.Canceled
	board.Look(ended)
	if board.Parts()[0] != before[0] {
		t.Error("stopping the board counts as an outage")
	}
}
