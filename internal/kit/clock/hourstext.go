package clock

import (
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
		`(?i)^(?:(\d{4}-\d{2}-\d{2}|\d{1,2} [a-z]+ \d{4}|[a-z,&/\s-]*[a-z])\s*:?\s+)?(closed|noon\b.*|midnight\b.*|\d.*)$`,
	)
	dateLike = regexp.MustCompile(`^\d`)
)

// ParseHours reads hours as people write them, one line for some days or a date: "Mon-Fri 07:00-11:30", "Sat, Sun 9am - 3pm, 18:00-02:00",
// "25 Dec 2026 closed". A line without days is about every day. Semicolons may stand for line breaks. An empty text means always. The error
// is for the person who typed the text.
func ParseHours(text string) (h Hours, err error) {
	var closed []time.Weekday
	last := ""
	for line := range strings.SplitSeq(strings.ReplaceAll(text, ";", "\n"), "\n") {
		line = typed.Plain(line)
		if line == "" {
			continue
		}
		parts := lineForm.FindStringSubmatch(line)
		if parts == nil {
			return Hours{}, fmt.Errorf("%s: %s", printable.Quote(line), "Write the days and then the times, such as Mon-Fri 7am-3pm.")
		}
		off, why := h.add(parts[1], parts[2])
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

// add adds the times of some days or a date. It returns the days that are closed, and why it cannot.
func (h *Hours) add(when, times string) (closed []time.Weekday, why string) {
	date, dated := parseDate(when)
	if when == "" {
		when = "daily"
	}
	weekdays, wrong := parseDays(when)
	switch {
	case !dated && dateLike.MatchString(when):
		return nil, printable.Short(when) + " is not a date. Write it like 25 Dec 2026."
	case !dated && wrong != "":
		return nil, printable.Quote(wrong) + " is not a day. Write Mon, Mon-Fri, weekends or a date such as 25 Dec 2026."
	case strings.EqualFold(times, "closed") && dated:
		h.Dates = append(h.Dates, Date{Date: date, Closed: true})
		return nil, ""
	case strings.EqualFold(times, "closed"):
		return weekdays, ""
	}
	for _, part := range listed(times) {
		from, to, why := parseSpan(part)
		if why != "" {
			return nil, why
		}
		if dated {
			h.Dates = append(h.Dates, Date{Date: date, From: from, To: to})
			continue
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

const dateForm = "2 Jan 2006"

// parseDate returns a date as 2006-01-02, or text itself if it is not a date.
func parseDate(text string) (string, bool) {
	for _, form := range []string{time.DateOnly, dateForm, "2 January 2006"} {
		if day, err := time.Parse(form, text); err == nil {
			return day.Format(time.DateOnly), true
		}
	}
	return text, false
}

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
		day, _ := time.Parse(time.DateOnly, d.Date)
		date := day.Format(dateForm)
		switch {
		case d.Closed:
			lines = append(lines, date+" closed")
		case n > 0 && h.Dates[n-1].Date == d.Date:
			lines[len(lines)-1] += fmt.Sprintf(", %s-%s", d.From, d.To)
		default:
			lines = append(lines, fmt.Sprintf("%s %s-%s", date, d.From, d.To))
		}
	}
	return strings.Join(lines, "; ")
}
