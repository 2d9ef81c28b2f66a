// Package settlement keeps what happens to money after it was captured: disputes, and the payouts in which each charge, refund and
// dispute arrives at its business once.
package settlement

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/gateway"
	"forecourt/internal/mail"
)

const (
	// firstLook is how far back the gateway's ledger is read for the first time.
	firstLook = 30 * 24 * time.Hour
	// slack is how far apart the gateway's clock and ours may be, and how late an entry may be listed.
	slack = 24 * time.Hour
)

// Settlement reads the gateway's ledger of disputes and payouts.
type Settlement struct {
	pool    *pgxpool.Pool
	queries *db.Queries
	gateway *gateway.Client
	mail    *mail.Queue
	days    int
	log     *slog.Logger
}

// New returns the settlement of a gateway over pool. Letters about disputes are ordered from queue; nil: nobody is told. What no payout
// holds so many days after it moved is listed.
func New(pool *pgxpool.Pool, client *gateway.Client, queue *mail.Queue, days int, log *slog.Logger) *Settlement {
	return &Settlement{pool: pool, queries: db.New(pool), gateway: client, mail: queue, days: days, log: log}
}

// since tells from when on a kind of the ledger has to be read. closed is true after a restore, until its import: what the entries
// are about may be missing.
func (s *Settlement) since(ctx context.Context, kind gateway.Kind) (from time.Time, closed bool, err error) {
	if closed, err = s.queries.RestoreClosed(ctx); err != nil || closed {
		return from, closed, err
	}
	from, err = s.queries.LedgerReadUntil(ctx, string(kind))
	if errors.Is(err, pgx.ErrNoRows) {
		return time.Now().Add(-firstLook), false, nil
	}
	return from.Add(-slack), false, err
}
