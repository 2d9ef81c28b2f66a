package books

import (
	"context"
	"slices"
	"time"

	"forecourt/db"
	"forecourt/internal/pay/payment"
	"forecourt/internal/shop/shop"
)

// declinedFor is how long a refund that the gateway declined is among what needs a person.
const declinedFor = 3 * 24 * time.Hour

// MostWaiting is where the count of waiting orders ends.
const MostWaiting = 99

// Today returns the day of a shop so far in a mode, and what needs a person in either.
func (b *Books) Today(ctx context.Context, one shop.Shop, test bool, now time.Time) (today Today, err error) {
	begins, ends, before := one.DayOf(now)
	today = Today{At: now.In(one.Zone()), Test: test}
	until := today.At.AddDate(0, 0, -7) // the same time of day, even if the clocks have changed since
	_, wholeEnds, _ := one.DayOf(before)
	for _, part := range []struct {
		days        *Days
		since, till time.Time
	}{{&today.Now, begins, ends}, {&today.Before, before, until}, {&today.Whole, before, wholeEnds}} {
		if *part.days, err = DaysOf(ctx, b.queries, one, test, part.since, part.till); err != nil {
			return today, err
		}
	}
	today.Needs, err = b.queries.DeskNeeds(ctx, db.DeskNeedsParams{
		ShopCode: one.Code, ManualAfter: payment.ManualAfter, PendingAfter: payment.PendingAfter, DeclinedFor: declinedFor,
		MostWaiting: MostWaiting,
	})
	for _, row := range today.Needs {
		today.NoWallet, today.Paused, today.Watched = row.NoWallets, row.Paused, row.Watched
	}
	return today, err
}

// DaysOf adds up what was taken and refunded in a mode within a part of one day, by currency.
func DaysOf(ctx context.Context, queries *db.Queries, one shop.Shop, test bool, since, before time.Time) (Days, error) {
	rows, err := queries.DeskDay(ctx, db.DeskDayParams{
		Zone: one.Zone().String(), ShopCode: one.Code, TestMode: test, Since: since, Before: before,
	})
	days := Days{{Date: since, Currency: one.Currency}}
	for _, row := range rows { // sorted by currency
		d := &days[0]
		if row.Currency != one.Currency {
			if days[len(days)-1].Currency != row.Currency {
				days = append(days, Day{Date: since, Currency: row.Currency})
			}
			d = &days[len(days)-1]
		}
		d.Taken += row.TakenMinor
		d.Orders += int(row.Orders)
		d.Refunded += row.RefundsDoneMinor
		d.Refunds += int(row.Refunds)
		d.Hours[row.Hour%24] += row.TakenMinor
	}
	return days, err
}

// Day is the money that a shop took and refunded in one currency on a day, by its own clock. Amounts are in minor units.
type Day struct {
	Date     time.Time // its beginning, in the shop's zone
	Currency string
	Taken    int64
	Orders   int // payments that were approved
	Refunded int64
	Refunds  int
	Hours    [24]int64 // taken, by hour
}

// Average returns the average payment, 0 if there was none.
func (d Day) Average() int64 {
	if d.Orders == 0 {
		return 0
	}
	return d.Taken / int64(d.Orders)
}

// Days lists the same day in each currency: that of the shop first, then every other in which money moved.
type Days []Day

// In returns the day in a currency.
func (d Days) In(currency string) Day {
	for _, one := range d {
		if one.Currency == currency {
			return one
		}
	}
	return Day{Currency: currency}
}

// Needs counts what waits for a person in a mode: orders of the last day that are not made yet, with the time of the oldest, payments and
// refunds without an outcome, refunds that the gateway declined lately, and open disputes.
type Needs = db.DeskNeedsRow

// Today is a shop's day so far, with the same weekday of the week before, up to the same time of day, for comparison.
type Today struct {
	Now      Days
	Before   Days      // as far as this time of day
	Whole    Days      // all of that day
	At       time.Time // in the shop's zone
	Test     bool      // the days are of test payments
	Needs    []Needs   // of real payments, then of test payments
	NoWallet bool      // no account that wallets can pay to
	Paused   bool      // it takes no orders, since no kitchen screen is open
	Watched  bool      // a kitchen screen is open
}

// Currencies lists the currencies in which money moved on either day, that of the shop first.
func (t Today) Currencies() (list []string) {
	for _, d := range slices.Concat(t.Now, t.Whole) {
		if !slices.Contains(list, d.Currency) {
			list = append(list, d.Currency)
		}
	}
	return list
}
