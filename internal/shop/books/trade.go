package books

import (
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/kit/fault"
	"forecourt/internal/pay/payment"
	"forecourt/internal/shop/shop"
)

// ErrMissing means that the shop has no such payment.
var ErrMissing = fault.New(fault.NotFound, "no such payment of this shop")

// Trade is the trade of all shops.
type Trade struct {
	queries  *db.Queries
	shops    *shop.Shops
	payments *payment.Payments
}

// NewTrade returns the trade kept in pool. payments makes refunds; it may be nil for a Trade that only shows.
func NewTrade(pool *pgxpool.Pool, shops *shop.Shops, payments *payment.Payments) *Trade {
	return &Trade{db.New(pool), shops, payments}
}

// moment returns a stored moment in a zone; the zero time for none.
func moment(at *time.Time, zone *time.Location) time.Time {
	if at == nil {
		return time.Time{}
	}
	return at.In(zone)
}
