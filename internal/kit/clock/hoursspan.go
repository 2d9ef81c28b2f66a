package clock

import (
	"regexp"
	"strconv"
	"strings"

	"forecourt/internal/kit/printable"
)

const clockText = `(\d{1,2})(?:[:.h]?(\d{2}))?\s*([ap])?\.?(?:m\.?)?|noon|midnight`

var (
	spanForm  = regexp.MustCompile(`^(.+?)\s*(?:-|\bto\b|\buntil\b|\btill\b)\s*(.+)$`)
	clockForm = regexp.MustCompile(`^(?:` + clockText + `)$`)
)

// parseSpan reads "7am - 3pm", "7-3pm", "07.00–15:00", "9 to 17" and "noon-midnight". why says what is wrong.
func parseSpan(text string) (from, to Clock, why string) {
	parts := spanForm.FindStringSubmatch(text)
	if parts == nil {
		return 0, 0, printable.Quote(text) + " lacks a beginning or an end. Write both, such as 7am-3pm."
	}
	first, wrong := readClock(parts[1])
	if wrong == "" {
		var last typedClock
		if last, wrong = readClock(parts[2]); wrong == "" {
			return span(first, last, text)
		}
	}
	return 0, 0, wrong
}

// typedClock is a time of day as somebody wrote it.
type typedClock struct {
	hour, minute int
	half         string // "a", "p" or "", which may mean either
	exact        bool   // it has minutes, so it is meant by 24 hours where half is empty
}

func readClock(text string) (c typedClock, wrong string) {
	wrong = printable.Quote(text) + " is not a time. Write times like 7am, 3:30pm or 15:30."
	switch text {
	case "noon":
		return typedClock{hour: 12, half: "p"}, ""
	case "midnight":
		return typedClock{hour: 12, half: "a"}, ""
	}
	found := clockForm.FindStringSubmatch(text)
	if found == nil || found[3] == "" && strings.HasSuffix(text, "m") {
		return c, wrong
	}
	c.hour, _ = strconv.Atoi(found[1])
	c.minute, _ = strconv.Atoi(found[2])
	c.half, c.exact = found[3], found[2] != ""
	if c.minute > 59 || c.hour > 24 || c.hour == 24 && c.minute > 0 || c.half != "" && (c.hour < 1 || c.hour > 12) {
		return c, wrong
	}
	return c, ""
}

// clock returns the time of day in one half of the day, or by 24 hours.
func (c typedClock) clock(half string) Clock {
	hour := c.hour
	if half != "" {
		hour %= 12
	}
	if half == "p" {
		hour += 12
	}
	return Clock(hour*60 + c.minute)
}

// span joins two times. In "7-3pm" the first is in the half of the day that makes the span shorter. "9-5" and "9pm-5" are ambiguous and
// refused.
func span(first, last typedClock, text string) (from, to Clock, why string) {
	from, to = first.clock(first.half), last.clock(last.half)
	switch {
	case first.half == "" && last.half != "" && first.hour <= 12 && first.hour > 0:
		if from = first.clock(last.half); from >= to && last.half == "p" {
			from = first.clock("a")
		} else if from >= to {
			from = first.clock("p")
		}
	case last.half == "" && !last.exact && to < from && to > 0 && (first.half != "" || !first.exact && from <= 12*60):
		return 0, 0, printable.Quote(text) + " may mean the day or the night. Add am and pm, such as 9am-5pm, or write 09:00-17:00."
	}
	if to == 0 {
		to = 24 * 60
	}
	if from == 24*60 {
		from = 0
	}
	if from == to {
		return 0, 0, printable.Quote(text) + " begins and ends at the same time."
	}
	return from, to, ""
}
