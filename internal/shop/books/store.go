// Package books shows the team of a shop its money: payments and what became of each, payouts, disputes, the day so far, tables for
// accountants, statements and the close of day. It makes refunds.
package books

import (
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"forecourt/db"
	"forecourt/db/state"
	"forecourt/internal/pay/receipt"
	"forecourt/internal/run/mail"
	"forecourt/internal/run/queue"
	"forecourt/internal/shop/shop"
)

// Books are the books of all shops.
type Books struct {
	pool    *pgxpool.Pool
	queries *db.Queries
	shops   *shop.Shops
	mail    *mail.Queue
	signer  *receipt.Signer
	jobs    *river.Client[pgx.Tx] // only inserts jobs
}

// New returns the books kept in pool. It queues its letters in letters; signer signs closings.
func New(pool *pgxpool.Pool, shops *shop.Shops, letters *mail.Queue, signer *receipt.Signer) *Books {
	return &Books{pool: pool, queries: db.New(pool), shops: shops, mail: letters, signer: signer, jobs: queue.New(pool)}
}

func totalOf(row db.ClosingTakeRow) Total {
	return Total{
		Currency: row.Currency, Method: state.Method(row.Method), Payments: int(row.Payments), Taken: row.TakenMinor, GST: row.GstMinor,
		Refunds: int(row.Refunds), Refunded: row.RefundsDoneMinor, RefundGST: row.RefundGstMinor,
	}
}
