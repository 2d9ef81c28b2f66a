package clock

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"forecourt/internal/kit/card"
)

// Hours says when guests can order something, by the clock of the shop's time zone. The zero value means always.
type Hours struct {
	Week  []OpenSpan // empty for every day, all day
	Dates []Date     // in place of the week on those days

	holidays Holidays
}

// OpenSpan is a part of a weekday. If To is not after From, it ends on the day after.
type OpenSpan struct {
	Day      time.Weekday
	From, To Clock
}

// Clock is a time of day in minutes after midnight, from 0 to 1440.
type Clock int

// ParseClock reads "09:30"; "24:00" is the end of the day.
func ParseClock(text string) (Clock, bool) {
	if text == "24:00" {
		return 24 * 60, true
	}
	t, err := time.Parse("15:04", text)
	if err != nil || len(text) != len("15:04") {
		return 0, false
	}
	return Clock(t.Hour()*60 + t.Minute()), true
}

func (c Clock) String() string { return fmt.Sprintf("%02d:%02d", int(c)/60, int(c)%60) }

// Limits of hours.
const (
	mostSpans = 42 // six for each weekday
	mostDates = 100
)

// TidyHours returns the text of hours in its stored form: "Mon-Fri 07:00-11:30; 25 Dec 2026 closed". holidays are the names of public
// holidays that the text may have; nil allows any. wrong tells the person who typed them which line is wrong and why; the text is then
// returned as it is.
func TidyHours(text string, holidays []string) (tidy, wrong string) {
	return tidyHours(text, holidays, time.Now())
}

func tidyHours(text string, holidays []string, now time.Time) (tidy, wrong string) {
	if card.HoldsCard(text) {
		return text, card.LeaveOut
	}
	h, err := reader{now, holidays}.read(text)
	if err != nil {
		return text, err.Error()
	}
	if h, wrong = h.check(); wrong != "" {
		return text, wrong
	}
	return h.String(), ""
}

// check returns the hours in order, and why they are refused.
func (h Hours) check() (_ Hours, wrong string) {
	const (
		unfit   = "Write hours like Mon-Fri 7am-3pm, with a line for each day or date."
		overlap = ": these times overlap. Join or shorten them."
	)
	if len(h.Week) > mostSpans || len(h.Dates) > mostDates {
		return h, "Enter fewer times and dates."
	}
	h.Week, h.Dates = slices.Clone(h.Week), slices.Clone(h.Dates)
	slices.SortStableFunc(h.Week, func(a, b OpenSpan) int {
		if a.Day != b.Day {
			return int((a.Day+6)%7 - (b.Day+6)%7) // from Monday
		}
		return int(a.From - b.From)
	})
	slices.SortStableFunc(h.Dates, func(a, b Date) int { return strings.Compare(a.key()+a.From.String(), b.key()+b.From.String()) })
	for i, s := range h.Week {
		if s.Day < time.Sunday || s.Day > time.Saturday || !fits(s.From, s.To) {
			return h, unfit
		}
		if i > 0 && h.Week[i-1].Day == s.Day && (h.Week[i-1].To > s.From || h.Week[i-1].To <= h.Week[i-1].From) {
			return h, fmt.Sprintf("%s %s-%s and %s-%s", days[s.Day], h.Week[i-1].From, h.Week[i-1].To, s.From, s.To) + overlap
		}
	}
	var before Date // the range before
	for i, d := range h.Dates {
		if !d.Closed && !fits(d.From, d.To) {
			return h, unfit
		}
		if i > 0 && h.Dates[i-1].key() == d.key() {
			if d.Closed || h.Dates[i-1].Closed || h.Dates[i-1].To > d.From || h.Dates[i-1].To <= h.Dates[i-1].From {
				return h, d.when() + overlap
			}
		} else if d.Date < d.Until {
			if d.Date <= before.Until {
				return h, before.when() + " and " + d.when() + ": these days overlap. Join or shorten them."
			}
			before = d
		}
	}
	return h, ""
}

func fits(from, to Clock) bool {
	return from >= 0 && from < 24*60 && to >= 0 && to <= 24*60 && from != to
}
