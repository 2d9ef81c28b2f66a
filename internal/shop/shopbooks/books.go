// Package shopbooks keeps the books of shops: tables for accountants, monthly statements, and the close of day.
package shopbooks

import (
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/mail"
	"forecourt/internal/queue"
	"forecourt/internal/receipt"
	"forecourt/internal/shop"
	"forecourt/internal/shop/shopstore"
)

// Books are the books of all shops.
type Books struct {
	pool    *pgxpool.Pool
	queries *db.Queries
	shops   *shopstore.Shops
	mail    *mail.Queue
	signer  *receipt.Signer
	jobs    *river.Client[pgx.Tx] // only inserts jobs
}

// New returns the books kept in pool. It queues its letters in letters; signer signs closings.
func New(pool *pgxpool.Pool, shops *shopstore.Shops, letters *mail.Queue, signer *receipt.Signer) *Books {
	return &Books{pool: pool, queries: db.New(pool), shops: shops, mail: letters, signer: signer, jobs: queue.New(pool)}
}

func totalOf(row db.ClosingTakeRow) shop.Total {
	return shop.Total{
		Currency: row.Currency, Method: state.Method(row.Method), Payments: int(row.Payments), Taken: row.TakenMinor, GST: row.GstMinor,
		Refunds: int(row.Refunds), Refunded: row.RefundsDoneMinor, RefundGST: row.RefundGstMinor,
	}
}
