package clock

import (
	"time"
)

// farthest is how many days ahead the next opening is looked for.
const farthest = 370

// period is a time during which something is on sale.
type period struct{ from, to time.Time }

// on returns the periods that begin on the day of a moment, in its zone. The date's own hours replace those of its weekday.
func (h Hours) on(day time.Time) (all []period) {
	y, m, d := day.Date()
	add := func(from, to Clock) {
		if to <= from {
			to += 24 * 60
		}
		// time.Date counts hours by the clock on the wall, even if it goes forward or back in between.
		all = append(all, period{time.Date(y, m, d, 0, int(from), 0, 0, day.Location()), time.Date(y, m, d, 0, int(to), 0, 0, day.Location())})
	}
	dates := h.dated(day)
	for _, s := range dates {
		if !s.Closed {
			add(s.From, s.To)
		}
	}
	if len(dates) > 0 {
		return all
	}
	if len(h.Week) == 0 {
		add(0, 24*60)
	}
	for _, s := range h.Week {
		if s.Day == day.Weekday() {
			add(s.From, s.To)
		}
	}
	return all
}

// Next returns the first moment from at on that lies within the hours, which may be at itself. It reports false if there is none
// within a year. The zone of at is that of the hours.
func (h Hours) Next(at time.Time) (time.Time, bool) {
	if len(h.Week) == 0 && len(h.Dates) == 0 {
		return at, true
	}
	for n := -1; n <= farthest; n++ { // what began yesterday may go on today
		var next time.Time
		for _, p := range h.on(time.Date(at.Year(), at.Month(), at.Day()+n, 12, 0, 0, 0, at.Location())) {
			switch {
			case !p.from.After(at) && p.to.After(at):
				return at, true
			case p.from.After(at) && p.to.After(p.from) && (next.IsZero() || p.from.Before(next)):
				next = p.from
			}
		}
		if !next.IsZero() {
			return next, true
		}
	}
	return time.Time{}, false
}

// Ends returns when the hours end that at lies in; zero if they do not within two weeks.
func (h Hours) Ends(at time.Time) time.Time {
	now := at
	for at.Before(now.AddDate(0, 0, 14)) {
		end := at
		for n := -1; n <= 0; n++ {
			for _, p := range h.on(time.Date(at.Year(), at.Month(), at.Day()+n, 12, 0, 0, 0, at.Location())) {
				if !p.from.After(at) && p.to.After(end) {
					end = p.to
				}
			}
		}
		if end.Equal(at) {
			return at
		}
		at = end // the next day's may go on
	}
	return time.Time{}
}

// Opens returns the first moment from at on that lies within all of the hours, and false if there is none.
func Opens(at time.Time, all ...Hours) (time.Time, bool) {
	for range farthest { // each round moves on to another opening; the search ends even if the hours never overlap
		moved := false
		for _, h := range all {
			next, ok := h.Next(at)
			if !ok {
				return time.Time{}, false
			}
			if next.After(at) {
				at, moved = next, true
			}
		}
		if !moved {
			return at, true
		}
	}
	return time.Time{}, false
}

// OpensWords says when something is on sale again: "opens at 11:30 am", with the day where it is not today.
func OpensWords(opens, now time.Time) string {
	if opens.IsZero() {
		return "not on sale at the moment"
	}
	return "opens " + WhenWords(opens, now)
}

// WhenWords says when something coming is, by the clock of its own zone: "at 11:30 am", with the day where it is not today.
func WhenWords(opens, now time.Time) string {
	now = now.In(opens.Location())
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, opens.Location())
	at := OfDay(opens)
	switch {
	case opens.Before(midnight.AddDate(0, 0, 1)):
		return "at " + at
	case opens.Before(midnight.AddDate(0, 0, 2)):
		return "tomorrow at " + at
	case opens.Before(midnight.AddDate(0, 0, 7)):
		return "on " + opens.Format("Monday") + " at " + at
	default:
		return "on " + opens.Format("2 January") + " at " + at
	}
}
