package paylink

import (
	"fmt"
	"time"

	"forecourt/internal/kit/clock"
)

// Expiry is when a pay link can no longer be paid: a moment, or the end of a day in the time zone of the business. The zero Expiry never
// comes.
type Expiry struct {
	at  time.Time
	day bool // at is a day, whose zone does not count
}

// ExpiresAt returns an expiry at a moment; for the zero time, one that never comes.
func ExpiresAt(moment time.Time) Expiry { return Expiry{at: moment} }

// ParseExpiry reads a last day (2027-01-31) or a moment (2027-01-31T09:30:00Z). For an empty text it returns the zero Expiry.
func ParseExpiry(s string) (Expiry, error) {
	if s == "" {
		return Expiry{}, nil
	}
	if day, err := time.Parse(time.DateOnly, s); err == nil {
		return Expiry{at: day, day: true}, nil
	}
	moment, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return Expiry{}, fmt.Errorf("%q is neither a day like 2027-01-31 nor a time like 2027-01-31T09:30:00Z", s)
	}
	return ExpiresAt(moment), nil
}

// Over reports whether the expiry has come, in the time zone of a business.
func (e Expiry) Over(zone *time.Location, now time.Time) bool {
	end := e.in(zone)
	return !end.IsZero() && !end.After(now)
}

// in returns the moment at which the expiry comes in a time zone; the zero time for never.
func (e Expiry) in(zone *time.Location) time.Time {
	if !e.day {
		return e.at
	}
	return clock.EndOf(e.at, zone)
}
