package shop

import "time"

// DayTurns is the hour of a shop's clock at which its day turns: what a bar takes at 2 am belongs to the evening before.
const DayTurns = 5

// Closing is the end of a shop's day: what moved since the previous closing.
type Closing struct {
	Number        int // from 1, without gaps, for test mode and real payments apart
	Test          bool
	Day           time.Time // the day that it ends: midnight UTC of its date
	Since, Until  time.Time // it includes Since and excludes Until
	Zone          *time.Location
	Business, ABN string // at that time
	Totals        Totals
	By            string // who closed
	Signature     []byte // of Text
}

// TradingDay returns the day that a closing at a moment ends: midnight UTC of the date by the shop's clock. Before DayTurns that is the
// day before.
func (s Shop) TradingDay(at time.Time) time.Time {
	local := at.In(s.Zone())
	day := local.Day()
	if local.Hour() < DayTurns {
		day--
	}
	return time.Date(local.Year(), local.Month(), day, 0, 0, 0, 0, time.UTC)
}
