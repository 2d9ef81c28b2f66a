// Package settlement records what happens to money after its capture: disputes, and the payouts, in which each charge, refund and dispute
// reaches its business once.
package settlement

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/run/mail"
)

const (
	// firstLook is how far back the first import reads the gateway's ledger.
	firstLook = 30 * 24 * time.Hour
	// slack is how far apart the gateway's clock and ours may be, and how late an entry may be listed.
	slack = 24 * time.Hour
)

// Settlement reads the gateway's ledger of disputes and payouts.
type Settlement struct {
	pool     *pgxpool.Pool
	queries  *db.Queries
	gateways []*gateway.Client
	mail     *mail.Queue
	days     int
	log      *slog.Logger
}

// Config holds what New needs.
type Config struct {
	Pool     *pgxpool.Pool
	Gateway  *gateway.Client
	Previous *gateway.Client // the gateway before this one; may be nil
	// Mail queues letters about disputes. It may be nil.
	Mail *mail.Queue
	// Days is the number of days after which a movement that is in no payout is listed.
	Days int
	Log  *slog.Logger
}

// New returns the settlement of a gateway and, if there is one, of the previous gateway.
func New(c Config) *Settlement {
	s := &Settlement{pool: c.Pool, queries: db.New(c.Pool), gateways: []*gateway.Client{c.Gateway}, mail: c.Mail, days: c.Days, log: c.Log}
	if c.Previous != nil {
		s.gateways = append(s.gateways, c.Previous)
	}
	return s
}

// read asks each gateway for the new entries of a kind in its ledger, and stores how far it has read. It skips a gateway that does not list
// the kind. After a restore it skips all gateways until the ledger is imported, because the payments behind the entries may be missing.
func (s *Settlement) read(ctx context.Context, kind gateway.Kind, each func(at *gateway.Client, from, to time.Time) error) error {
	closed, err := s.queries.RestoreClosed(ctx)
	if err != nil || closed {
		return err
	}
	var failed error
	for _, at := range s.gateways { // one that cannot be read keeps no other from being read
		failed = errors.Join(failed, s.readAt(ctx, kind, at, each))
	}
	if failed != nil {
		return failed
	}
	return s.queries.LedgerReadSet(ctx, string(kind), time.Now()) // which an alert looks at
}

func (s *Settlement) readAt(
	ctx context.Context, kind gateway.Kind, at *gateway.Client, each func(at *gateway.Client, from, to time.Time) error,
) error {
	mark, now := string(kind)+" "+at.ID(), time.Now()
	from, err := s.queries.LedgerReadUntil(ctx, mark)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		from = now.Add(-firstLook)
	case err != nil:
		return err
	}
	switch err := each(at, from.Add(-slack), now.Add(slack)); {
	case errors.Is(err, gateway.ErrNotServed):
		return nil
	case err != nil:
		return err
	}
	return s.queries.LedgerReadSet(ctx, mark, now)
}
