package clock

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/typed"
)

var days = []string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"} // by time.Weekday

var (
	rangeForm = regexp.MustCompile(`^([a-z]+)\s*(?:-|to)\s*([a-z]+)$`)
	lineForm  = regexp.MustCompile(
		`(?i)^(?:((?:` + datesText + `|[\pL,&/\s'’.-])+)\s*:?\s+)?(closed|noon\b.*|midnight\b.*|\d.*)$`,
	)
	closedForm = regexp.MustCompile(`(?i)^closed:?\s+(?:on\s+|from\s+)?(.+?)(?:\s+closed)?$`)
	allForm    = regexp.MustCompile(`(?i)(?:open )?\b(?:24/7|24 ?h(?:rs|ours)?)$`)
)

// ParseHours reads hours as people write them, one line for some days or dates: "Mon-Fri 07:00-11:30", "Sat, Sun 9am - 3pm, 18:00-02:00",
// "25 Dec 2026 closed", "25 Dec - 2 Jan closed", "Good Friday 8am-noon", "24/7". A line without days is about every day. Semicolons may
// stand for line breaks. An empty text means always. The error is for the person who typed the text.
func ParseHours(text string) (Hours, error) { return reader{now: time.Now()}.read(text) }

// reader reads hours at a moment, which says the year of dates without one.
type reader struct {
	now      time.Time
	holidays []string // the names of public holidays; nil for any
}

func (r reader) read(text string) (h Hours, err error) {
	var closed []time.Weekday
	last := ""
	for line := range strings.SplitSeq(strings.ReplaceAll(text, ";", "\n"), "\n") {
		line = typed.Plain(line)
		if line == "" {
			continue
		}
		plain := allForm.ReplaceAllString(closedForm.ReplaceAllString(line, "$1 closed"), "00:00-24:00")
		parts := lineForm.FindStringSubmatch(plain)
		if parts == nil {
			return Hours{}, fmt.Errorf("%s: %s", printable.Quote(line), "Write the days and then the times, such as Mon-Fri 7am-3pm.")
		}
		off, why := r.add(&h, parts[1], parts[2])
		if why != "" {
			return Hours{}, fmt.Errorf("%s: %s", printable.Quote(line), why)
		}
		closed, last = append(closed, off...), line
	}
	if len(closed) > 0 && len(h.Week) == 0 {
		return Hours{}, fmt.Errorf("%s: %s", printable.Quote(last), "Say when you are open as well. A day without times is closed.")
	}
	h.Week = slices.DeleteFunc(h.Week, func(s OpenSpan) bool { return slices.Contains(closed, s.Day) })
	if len(closed) > 0 && len(h.Week) == 0 {
		return Hours{}, fmt.Errorf("%s: %s", printable.Quote(last), "With this no day is left. Say when you are open.")
	}
	return h, nil
}

// add adds the times of some days or dates. It returns the days that are closed, and why it cannot.
func (r reader) add(h *Hours, when, times string) (closed []time.Weekday, why string) {
	weekdays, dates, why := r.days(cmp.Or(strings.TrimSpace(when), "daily"))
	if why != "" {
		return nil, why
	}
	if strings.EqualFold(times, "closed") {
		for _, d := range dates {
			d.Closed = true
			h.Dates = append(h.Dates, d)
		}
		return weekdays, ""
	}
	for _, part := range listed(times) {
		from, to, why := parseSpan(part)
		if why != "" {
			return nil, why
		}
		for _, d := range dates {
			d.From, d.To = from, to
			h.Dates = append(h.Dates, d)
		}
		for _, day := range weekdays {
			h.Week = append(h.Week, OpenSpan{day, from, to})
		}
	}
	return nil, ""
}

// listed splits a list as people write it: "7-11, 12-15", "Sat & Sun", "Mon and Tue".
func listed(text string) (parts []string) {
	for part := range strings.SplitSeq(joins.Replace(strings.ToLower(text)), ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

var joins = strings.NewReplacer(" and ", ",", "&", ",", "/", ",")

// parseDays reads "Mon-Fri", "Sat & Sunday", "daily" and "weekends". wrong is the part that is not a day.
func parseDays(text string) (list []time.Weekday, wrong string) {
	for _, part := range listed(text) {
		switch part {
		case "daily", "every day", "everyday":
			part = "mon-sun"
		case "weekdays":
			part = "mon-fri"
		case "weekends", "weekend":
			part = "sat-sun"
		}
		if day, ok := parseDay(part); ok {
			list = append(list, day)
			continue
		}
		found := rangeForm.FindStringSubmatch(part)
		if found == nil {
			return nil, part
		}
		from, okFrom := parseDay(found[1])
		to, okTo := parseDay(found[2])
		switch {
		case !okFrom:
			return nil, found[1]
		case !okTo:
			return nil, found[2]
		}
		for day := from; ; day = (day + 1) % 7 {
			list = append(list, day)
			if day == to {
				break
			}
		}
	}
	return list, ""
}

func parseDay(text string) (time.Weekday, bool) {
	text = strings.TrimSuffix(text, "s") // "Mondays", "Tues"
	for day := time.Sunday; day <= time.Saturday; day++ {
		if len(text) >= 2 && strings.HasPrefix(strings.ToLower(day.String()), text) {
			return day, true
		}
	}
	return 0, false
}

// String writes hours as ParseHours reads them.
func (h Hours) String() string {
	var lines []string
	times := map[time.Weekday]string{}
	for _, s := range h.Week {
		if times[s.Day] != "" {
			times[s.Day] += ", "
		}
		times[s.Day] += s.From.String() + "-" + s.To.String()
	}
	for n := 0; n < 7; {
		first := (time.Weekday(n) + time.Monday) % 7
		last := n
		for last < 6 && times[(time.Weekday(last+1)+time.Monday)%7] == times[first] {
			last++
		}
		if times[first] != "" {
			name := days[first]
			if last > n {
				name += "-" + days[(time.Weekday(last)+time.Monday)%7]
			}
			lines = append(lines, name+" "+times[first])
		}
		n = last + 1
	}
	for n, d := range h.Dates {
		switch {
		case d.Closed:
			lines = append(lines, d.when()+" closed")
		case n > 0 && h.Dates[n-1].key() == d.key():
			lines[len(lines)-1] += fmt.Sprintf(", %s-%s", d.From, d.To)
		default:
			lines = append(lines, fmt.Sprintf("%s %s-%s", d.when(), d.From, d.To))
		}
	}
	return strings.Join(lines, "; ")
}
