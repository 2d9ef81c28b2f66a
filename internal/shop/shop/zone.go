package shop

import (
	"time"

	"forecourt/internal/kit/clock"
)

// DayTurns is the hour of a shop's clock at which its day ends and the next begins: what a bar takes at 2 am belongs to the evening before.
const DayTurns = 5

// Zone returns the shop's time zone; UTC if this computer does not know it.
func (s Shop) Zone() *time.Location { return clock.Zone(s.TimeZone) }

// TradingDay returns the day that a closing at a moment ends, as midnight UTC of the date by the shop's clock. Before DayTurns it is the
// previous date.
func (s Shop) TradingDay(at time.Time) time.Time {
	local := at.In(s.Zone())
	day := local.Day()
	if local.Hour() < DayTurns {
		day--
	}
	return time.Date(local.Year(), local.Month(), day, 0, 0, 0, 0, time.UTC)
}

// DayOf returns when the day of a moment begins and ends by the shop's clock, and when the same weekday of the week before began.
func (s Shop) DayOf(at time.Time) (begins, ends, before time.Time) {
	local := at.In(s.Zone())
	day := func(offset int) time.Time {
		return time.Date(local.Year(), local.Month(), local.Day()+offset, 0, 0, 0, 0, s.Zone())
	}
	return day(0), day(1), day(-7)
}
