package books

import (
	"context"
	"time"

	"forecourt/db"
	"forecourt/internal/shop/shop"
)

// SoldRow is how much was sold of an item, in a category or in an hour of the day, and how much in as many days before.
type SoldRow = db.DeskSoldRow

const (
	// MostSoldDays is how many days are added up at once.
	MostSoldDays = 31
	mostSoldRows = 2000
)

// Sold adds up what a shop sold from the first day to the last, in its currency. Days that have not ended are compared with the days before
// up to the same moment.
func (b *Books) Sold(ctx context.Context, one shop.Shop, test bool, first, last, now time.Time) ([]SoldRow, error) {
	days := int(last.Sub(first).Hours())/24 + 1
	since, ends := one.DayBegins(first), now.In(one.Zone()).AddDate(0, 0, -days)
	if since.Before(ends) {
		ends = since
	}
	return b.queries.DeskSold(ctx, db.DeskSoldParams{
		Zone: one.Zone().String(), ShopCode: one.Code, TestMode: test, Currency: one.Currency, Since: since,
		Before: one.DayBegins(last.AddDate(0, 0, 1)), Prior: one.DayBegins(first.AddDate(0, 0, -days)), PriorEnds: ends, AtMost: mostSoldRows,
	})
}
