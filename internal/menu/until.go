package menu

import "time"

// NextClock returns the first moment after now at which the clock of now's zone shows a time of day. If the clock skips that time on a day,
// it is the moment at which the clock is put forward.
func NextClock(now time.Time, clock Clock) time.Time {
	y, m, d := now.Date()
	for day := d; ; day++ {
		if at := onDay(now, y, m, day, clock); at.After(now) {
			return at
		}
	}
}

// onDay returns when the clock shows a time of day on a date: if it does so twice, the first moment after now.
func onDay(now time.Time, y int, m time.Month, d int, clock Clock) time.Time {
	const form = "2006-01-02 15:04"
	wall := time.Date(y, m, d, 0, int(clock), 0, 0, time.UTC).Format(form)
	at := time.Date(y, m, d, 0, int(clock), 0, 0, now.Location())
	shown := false
	for _, shift := range []time.Duration{-time.Hour, -30 * time.Minute, 0, 30 * time.Minute, time.Hour} { // by how much clocks go back
		other := at.Add(shift)
		if other.Format(form) != wall {
			continue
		}
		if other.After(now) {
			return other
		}
		shown = true
	}
	if shown {
		return at
	}
	start, end := at.ZoneBounds() // skipped: at is an hour beside it, before or after the change
	if at.Format(form) > wall {
		return start
	}
	return end
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
