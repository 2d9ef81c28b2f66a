package menu

import "time"

// Moment returns the moment at which the clock of a zone shows a date and a time of day, "2026-10-04" and "02:30". If the clock shows it
// twice, because it goes back, it is the first of the two. It reports false for an invalid time and for one that the clock skips.
func Moment(zone, date, clock string) (time.Time, bool) {
	const form = "2006-01-02 15:04"
	in, err := time.LoadLocation(zone)
	if err != nil || zone == "Local" {
		return time.Time{}, false
	}
	wall := date + " " + clock
	at, err := time.ParseInLocation(form, wall, in)
	if err != nil || at.Format(form) != wall {
		return time.Time{}, false
	}
	for _, before := range []time.Duration{30 * time.Minute, time.Hour} { // by how much clocks go back
		if earlier := at.Add(-before); earlier.Format(form) == wall {
			return earlier, true
		}
	}
	return at, true
}
