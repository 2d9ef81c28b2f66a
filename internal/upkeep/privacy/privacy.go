// Package privacy gives people a copy of what is stored about them and erases it: for accounts, and for payers by their receipt. The books
// stay.
package privacy

import (
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"forecourt/db"
	"forecourt/internal/kit/secret"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/throttle"
	"forecourt/internal/run/tracing"
)

// Privacy makes copies and erases data.
type Privacy struct {
	pool     *pgxpool.Pool
	queries  *db.Queries
	client   *river.Client[pgx.Tx] // queues jobs
	mail     *mail.Queue
	records  *compliance.Records
	receipts *receipt.Receipts
	throttle *throttle.Throttle
	log      *slog.Logger
}

// Config holds what New needs.
type Config struct {
	Pool     *pgxpool.Pool // of a migrated database
	Mail     *mail.Queue
	Records  *compliance.Records
	Receipts *receipt.Receipts
	Keys     secret.Key // hash what limits count by
	Log      *slog.Logger
}

// New returns a Privacy that works on the database of c.
func New(c Config) *Privacy {
	queries := db.New(c.Pool)
	return &Privacy{
		pool: c.Pool, queries: queries, client: tracing.NewQueue(c.Pool), mail: c.Mail, records: c.Records, receipts: c.Receipts,
		throttle: throttle.New(queries, c.Keys), log: c.Log,
	}
}
