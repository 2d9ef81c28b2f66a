package shop

import "time"

// Day is what a shop took and gave back on a day of its own clock. Amounts are in minor units of the shop's currency.
type Day struct {
	Date      time.Time // its beginning, in the shop's zone
	Taken     int64
	Orders    int // payments that were approved
	GivenBack int64
	Refunds   int
	Hours     [24]int64 // taken, by hour
}

// Average returns what a payment came to, 0 without one.
func (d Day) Average() int64 {
	if d.Orders == 0 {
		return 0
	}
	return d.Taken / int64(d.Orders)
}

// Today is a shop's day so far, beside the same weekday before, up to the same time of day.
type Today struct {
	Now      Day
	Before   Day       // as far as this time of day
	Whole    Day       // all of that day
	At       time.Time // in the shop's zone
	Test     bool
	Payments int  // without an outcome
	Refunds  int  // without an outcome
	Declined int  // refunds that the gateway declined lately
	Disputes int  // open
	NoWallet bool // no account that wallets can pay to
	Nobody   bool // in the kitchen
}

// DayOf returns when the day of a moment begins and ends by the shop's clock, and when the same weekday before began.
func (s Shop) DayOf(at time.Time) (begins, ends, before time.Time) {
	local := at.In(s.Zone())
	day := func(offset int) time.Time {
		return time.Date(local.Year(), local.Month(), local.Day()+offset, 0, 0, 0, 0, s.Zone())
	}
	return day(0), day(1), day(-7)
}
