package clock

import "time"

// NextClock returns the first moment after now at which the clock of now's zone shows a time of day. In the nights in which clocks change
// it may be off by the change, or by a day for a time that is skipped or occurs twice.
func NextClock(now time.Time, clock Clock) time.Time {
	y, m, d := now.Date()
	for day := d; ; day++ {
		if at := time.Date(y, m, day, 0, int(clock), 0, 0, now.Location()); at.After(now) {
			return at
		}
	}
}

// Tomorrow returns when the next day of a shop begins: at midnight, or after the hours that run past midnight. The zone of now is that of
// the hours.
func Tomorrow(now time.Time, h Hours) time.Time {
	midnight := NextClock(now, 0)
	y, m, d := now.Date()
	for _, p := range h.on(time.Date(y, m, d-1, 12, 0, 0, 0, now.Location())) {
		if !p.from.After(now) && p.to.After(now) {
			return p.to // a span that began yesterday has not ended yet
		}
	}
	for _, p := range h.on(time.Date(y, m, d, 12, 0, 0, 0, now.Location())) {
		if p.from.Before(midnight) && p.to.After(midnight) {
			return p.to
		}
	}
	return midnight
}
