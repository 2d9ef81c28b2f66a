package books

import (
	"slices"
	"time"
)

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

// Today is a shop's day so far, with the same weekday of the week before, up to the same time of day, for comparison.
type Today struct {
	Now      Days
	Before   Days      // as far as this time of day
	Whole    Days      // all of that day
	At       time.Time // in the shop's zone
	Test     bool
	Payments int  // without an outcome
	Refunds  int  // without an outcome
	Declined int  // refunds that the gateway declined lately
	Disputes int  // open
	NoWallet bool // no account that wallets can pay to
	Paused   bool // it takes no orders, since no kitchen screen is open
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
