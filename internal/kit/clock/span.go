package clock

import (
	"strconv"
	"time"
)

// Span words a length of time in its largest whole unit, with digits: "30 minutes", "1 day", "7 days".
func Span(d time.Duration) string {
	n, unit := inUnits(d)
	return count(strconv.Itoa(n), n, unit)
}

// Spelled is Span for running text, where numbers up to ten are words: "seven days", "a day", "30 minutes".
func Spelled(d time.Duration) string {
	n, unit := inUnits(d)
	words := []string{"no", "a", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
	switch {
	case n == 1 && unit == "hour":
		return "an hour"
	case n < len(words):
		return count(words[n], n, unit)
	}
	return Span(d)
}

// inUnits returns a length of time in the largest unit that leaves no rest, at least seconds.
func inUnits(d time.Duration) (n int, unit string) {
	for _, u := range []struct {
		length time.Duration
		name   string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		if d >= u.length && d%u.length == 0 {
			return int(d / u.length), u.name
		}
	}
	return int(d / time.Second), "second"
}

func count(number string, n int, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return number + " " + unit
}
