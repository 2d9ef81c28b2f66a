package books

import (
	"strconv"
	"time"
)

// Closing ends a shop's day. It lists the money that moved since the previous closing.
type Closing struct {
	Number int // from 1, without gaps, for test mode and real payments apart
	// Series distinguishes numbers given since a restore of the database from equal ones that the backup does not know. It is ""
	// before the first restore, then the moment of the latest, as 20261123-074205 in UTC. No two closings of a business have the same
	// number and series.
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

// Name returns the printed number of a closing: "4", or "4 R20261123-074205" since a restore.
func (c Closing) Name() string {
	if c.Series == "" {
		return strconv.Itoa(c.Number)
	}
	return strconv.Itoa(c.Number) + " R" + c.Series
}
