package menu

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

var days = []string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"} // by time.Weekday

var (
	spanForm  = regexp.MustCompile(`^(\d{1,2}(?:[:.]\d{2})?)\s*(?:-|–|to)\s*(\d{1,2}(?:[:.]\d{2})?)$`)
	rangeForm = regexp.MustCompile(`(?i)^([a-z]+)\s*(?:-|–|to)\s*([a-z]+)$`)
	lineForm  = regexp.MustCompile(`(?i)^(\d{4}-\d{2}-\d{2}|\d{1,2} [a-z]+ \d{4}|[a-z,\s–-]*[a-z])\s*:?\s+(closed|\d.*)$`)
)

// ParseHours reads hours as people write them, one line for some days or a date: "Mon-Fri 07:00-11:30", "Sat, Sun 9-15, 18:00-02:00",
// "25 Dec 2026 closed". Semicolons may stand for line breaks. An empty text means always. If a line cannot be read, bad is that line.
func ParseHours(text string) (h Hours, bad string) {
	for line := range strings.SplitSeq(strings.ReplaceAll(text, ";", "\n"), "\n") {
		line = strings.Join(strings.Fields(line), " ")
		if line == "" {
			continue
		}
		parts := lineForm.FindStringSubmatch(line)
		if parts == nil || !h.add(parts[1], parts[2]) {
			return Hours{}, line
		}
	}
	return h, ""
}

// add adds the times of some days or a date.
func (h *Hours) add(when, times string) bool {
	when, dated := parseDate(when)
	if strings.EqualFold(times, "closed") {
		h.Dates = append(h.Dates, Date{Date: when, Closed: true})
		return dated // a weekday without times is closed anyway
	}
	weekdays, ok := parseDays(when)
	if !dated && !ok {
		return false
	}
	for part := range strings.SplitSeq(times, ",") {
		found := spanForm.FindStringSubmatch(strings.TrimSpace(part))
		if found == nil {
			return false
		}
		from, okFrom := looseClock(found[1])
		to, okTo := looseClock(found[2])
		if !okFrom || !okTo {
			return false
		}
		if dated {
			h.Dates = append(h.Dates, Date{Date: when, From: from, To: to})
			continue
		}
		for _, day := range weekdays {
			h.Week = append(h.Week, Span{day, from, to})
		}
	}
	return true
}

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

// looseClock reads "9", "9:30" and "9.30" as well as "09:30".
func looseClock(text string) (Clock, bool) {
	hour, minute, found := strings.Cut(strings.ReplaceAll(text, ".", ":"), ":")
	if !found {
		minute = "00"
	}
	if len(hour) == 1 {
		hour = "0" + hour
	}
	return ParseClock(hour + ":" + minute)
}

// parseDays reads "Mon-Fri", "Sat, Sunday", "daily" and "weekends".
func parseDays(text string) (list []time.Weekday, ok bool) {
	for part := range strings.SplitSeq(strings.ToLower(text), ",") {
		part = strings.TrimSpace(part)
		switch part {
		case "daily", "every day":
			part = "mon-sun"
		case "weekdays":
			part = "mon-fri"
		case "weekends":
			part = "sat-sun"
		}
		if day, ok := parseDay(part); ok {
			list = append(list, day)
			continue
		}
		found := rangeForm.FindStringSubmatch(part)
		if found == nil {
			return nil, false
		}
		from, okFrom := parseDay(found[1])
		to, okTo := parseDay(found[2])
		if !okFrom || !okTo {
			return nil, false
		}
		for day := from; ; day = (day + 1) % 7 {
			list = append(list, day)
			if day == to {
				break
			}
		}
	}
	return list, len(list) > 0
}

func parseDay(text string) (time.Weekday, bool) {
	for day := time.Sunday; day <= time.Saturday; day++ {
		if len(text) >= 3 && strings.HasPrefix(strings.ToLower(day.String()), text) {
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
