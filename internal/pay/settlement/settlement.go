// Package settlement records what happens to money after its capture: disputes, and the payouts, in which each charge, refund and dispute
// reaches its business once.
package settlement

import (
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/pay/gateway"
	"forecourt/internal/run/mail"
)

// Settlement reads the gateway's ledger.
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
