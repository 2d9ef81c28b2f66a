package site_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"forecourt/handlers/site"
	"forecourt/internal/kit/check"
)

func TestABoardKnowsWhatWorksSinceWhen(t *testing.T) {
	t.Parallel()
	var away, unread error
	gateway, mail, closed := true, true, false
	board := site.NewBoard(site.BoardConfig{
		Store: func(context.Context) error { return away }, Closed: func(context.Context) (bool, error) { return closed, unread },
		Gateway: func() bool { return gateway }, Mail: func() bool { return mail }, Log: slog.New(slog.DiscardHandler),
	})
	before := board.Parts()
	for _, step := range []struct {
		name                                 string
		away, unread                         error
		closed, gateway, mail                bool
		ordering, payments, gateways, letter bool
	}{
		{"all is well", nil, nil, false, true, true, true, true, true, true},
		{"without a database nothing can be ordered or paid", errors.New("gone"), nil, false, true, true, false, false, true, true},
		{"it is still away", errors.New("gone"), nil, false, true, true, false, false, true, true},
		{"one that cannot be read is away, too", nil, errors.New("gone"), false, true, true, false, false, true, true},
		{"after a restore guests may order", nil, nil, true, true, true, true, false, true, true},
		{"without a gateway guests may order", nil, nil, false, false, true, true, false, false, true},
		{"without mail they may pay", nil, nil, false, true, false, true, true, true, false},
		{"all is well again", nil, nil, false, true, true, true, true, true, true},
	} {
		away, unread, closed, gateway, mail = step.away, step.unread, step.closed, step.gateway, step.mail
		board.Look(t.Context())
		want := map[site.Part]bool{
			site.Ordering: step.ordering, site.Payments: step.payments, site.Gateway: step.gateways, site.Mail: step.letter,
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
	check.Equal(t, board.Parts()[0], before[0], "stopping the board counts as an outage")
}
