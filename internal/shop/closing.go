package shop

import (
	"strconv"
	"time"
)

// DayTurns is the hour of a shop's clock at which its day ends and the next begins: what a bar takes at 2 am belongs to the evening before.
const DayTurns = 5

// Closing is the end of a shop's day: what moved since the previous closing.
type Closing struct {
	Number int // from 1, without gaps, for test mode and real payments apart
	// Series tells the numbers since a restore of the database from those that closings had which the backup does not know: "" before the first
	// restore, then the moment of the last, as 20261123-074205 in UTC. No two closings of a business have the same number and series.
	Series        string
	Test          bool
	Day           time.Time // the day that it ends: midnight UTC of its date
	Since, Until  time.Time // it includes Since and excludes Until
	Zone          *time.Location
	Business, ABN string // at that time
	Totals        Totals
	By            string // who closed
	Signature     []byte // of Text
}

// Name is the number of a closing as papers state it: "4", or "4 R20261123-074205" since a restore.
func (c Closing) Name() string {
	if c.Series == "" {
		return strconv.Itoa(c.Number)
	}
	return strconv.Itoa(c.Number) + " R" + c.Series
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
