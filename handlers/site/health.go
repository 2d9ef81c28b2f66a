package site

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"
)

const (
	// Every is how often a board looks.
	Every = 15 * time.Second
	// within is how long the database may take to store something.
	within = 5 * time.Second
)

// Part is something that a site does for a business.
type Part string

// The parts, in the order in which they matter.
const (
	Ordering Part = "ordering"
	Payments Part = "payments"
	Gateway  Part = "gateway"
	Mail     Part = "mail"
)

// Standing is the state of a part.
type Standing struct {
	Part  Part
	Works bool
	Since time.Time // of the change, or of the start of this process
}

// BoardConfig says how a board checks the parts. A nil Gateway or Mail always works.
type BoardConfig struct {
	Store   func(context.Context) error         // stores something in the database
	Closed  func(context.Context) (bool, error) // whether a restore keeps all payments closed
	Gateway func() bool                         // whether the last call reached the gateway
	Mail    func() bool                         // whether the mail server answered the last letter
	Log     *slog.Logger
}

// Board knows in memory the state of each part, so that the site can report it while the database is away. It is safe for concurrent use.
type Board struct {
	config  BoardConfig
	looking sync.Mutex // held for a look, so that a slow one does not replace what a later one saw
	mu      sync.Mutex
	parts   []Standing
}

// NewBoard returns a board on which all parts work until it looks.
func NewBoard(c BoardConfig) *Board {
	b := &Board{config: c}
	for _, part := range []Part{Ordering, Payments, Gateway, Mail} {
		b.parts = append(b.parts, Standing{part, true, time.Now()})
	}
	return b
}

// Run looks at once, and then from time to time until ctx ends.
func (b *Board) Run(ctx context.Context) {
	tick := time.NewTicker(Every)
	defer tick.Stop()
	b.Look(ctx) // a restore may have closed payments before the start
	for {
		select {
		case <-tick.C:
			b.Look(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// Look checks the parts, which takes 5 s at most, one look at a time.
func (b *Board) Look(ctx context.Context) {
	b.looking.Lock()
	defer b.looking.Unlock()
	asking, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	err := b.config.Store(asking)
	closed := false
	if err == nil {
		closed, err = b.config.Closed(asking)
	}
	if ctx.Err() != nil {
		return // the site is stopping, which says nothing about the database
	}
	stores, gateway := err == nil, b.config.Gateway == nil || b.config.Gateway()
	works := map[Part]bool{
		Ordering: stores, Payments: stores && gateway && !closed, Gateway: gateway, Mail: b.config.Mail == nil || b.config.Mail(),
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, part := range b.parts {
		if works[part.Part] == part.Works {
			continue
		}
		b.parts[i].Works, b.parts[i].Since = !part.Works, time.Now()
		if part.Works {
			b.config.Log.WarnContext(ctx, "a part of the site does not work", "part", part.Part, "database", err, "closed", closed)
		} else {
			b.config.Log.InfoContext(ctx, "a part of the site works again", "part", part.Part)
		}
	}
}

// Parts returns the state of the parts when the board last looked. It queries nothing.
func (b *Board) Parts() []Standing {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.parts)
}
