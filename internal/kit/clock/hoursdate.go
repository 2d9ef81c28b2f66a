package clock

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"forecourt/internal/kit/printable"
	"forecourt/internal/kit/typed"
)

// Date is a date, a range of dates or a public holiday with hours of its own.
type Date struct {
	Date, Until string // the first and the last date, 2006-01-02; "" for public holidays
	Holiday     string // the name of a public holiday or anyHoliday; "" for dates
	Closed      bool
	From, To    Clock
}

const anyHoliday = "Public holidays"

// Holidays are names of public holidays by their dates, 2006-01-02.
type Holidays map[string]string

// ReadHolidays reads the JSON of the database's holidays_of.
func ReadHolidays(text string) (all Holidays) {
	_ = json.Unmarshal([]byte(text), &all) // the database made it
	return all
}

// Keeping returns the hours of a business that keeps some public holidays.
func (h Hours) Keeping(holidays Holidays) Hours {
	h.holidays = holidays
	return h
}

// rank says how closely a rule is meant for a date, which may be a public holiday: the highest counts. It is 0 for another date's.
func (d Date) rank(date, holiday string) int {
	switch {
	case d.Holiday == "" && (date < d.Date || date > d.Until), d.Holiday != "" && holiday == "":
		return 0
	case d.Holiday == anyHoliday:
		return 1
	case d.Holiday != "" && typed.Alike(d.Holiday) == typed.Alike(holiday):
		return 2
	case d.Holiday != "":
		return 0
	case d.Date < d.Until:
		return 3
	}
	return 4
}

// dated returns the rules that count on a day in place of its weekday's.
func (h Hours) dated(day time.Time) (all []Date) {
	date, best := day.Format(time.DateOnly), 1
	for _, d := range h.Dates {
		rank := d.rank(date, h.holidays[date])
		if rank > best {
			all, best = nil, rank
		}
		if rank == best {
			all = append(all, d)
		}
	}
	return all
}

// when names the dates as ParseHours reads them.
func (d Date) when() string {
	if d.Holiday != "" {
		return d.Holiday
	}
	first, _ := time.Parse(time.DateOnly, d.Date)
	last, _ := time.Parse(time.DateOnly, d.Until)
	if d.Date == d.Until {
		return first.Format(dateForm)
	}
	return first.Format(dateForm) + " - " + last.Format(dateForm)
}

// key orders dates, with public holidays behind them. Rules for the same days have the same one.
func (d Date) key() string {
	if d.Holiday != "" {
		return "~" + typed.Alike(d.Holiday)
	}
	return d.Date + d.Until
}

const (
	mostNamed = 240 // bytes of the name of a public holiday
	dateForm  = "2 Jan 2006"
	dayText   = `\d{1,2}(?:st|nd|rd|th)?`
	dateText  = `\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[/-]\d{1,2}[/-]\d{2,4}|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}[/]\d{1,2}|` + dayText +
		` (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*(?: \d{4})?|\d{1,2} [a-z]+ \d{4}`
	tillText  = `\s*(?:-|\bto\b|\buntil\b|\btill\b)\s*`
	datesText = `(?:` + dayText + tillText + `)?(?:` + dateText + `)` // also "25 - 27 Dec"
)

var (
	partForm    = regexp.MustCompile(`(?i)\s+and\s+|[,&/]`)
	numberForm  = regexp.MustCompile(`\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}|\d{1,2}/\d{1,2}`)
	fromToForm  = regexp.MustCompile(`(?i)^(?:from )?(` + dateText + `|` + dayText + `)` + tillText + `(\d.*)$`)
	ordinalForm = regexp.MustCompile(`(?i)^(\d+)(?:st|nd|rd|th)\b`)
	anyForm     = regexp.MustCompile(`(?i)^(?:public |bank )?holidays?$`)
)

// days reads which days a line is about. why says what is wrong with them.
func (r reader) days(text string) (weekdays []time.Weekday, dates []Date, why string) {
	text = numberForm.ReplaceAllStringFunc(text, inNumbers)
	for _, part := range partForm.Split(text, -1) {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if part[0] >= '0' && part[0] <= '9' || fromToForm.MatchString(part) {
			date, why := r.dates(part)
			if why != "" {
				return nil, nil, why
			}
			dates = append(dates, date)
			continue
		}
		some, wrong := parseDays(part)
		if wrong == "" {
			weekdays = append(weekdays, some...)
			continue
		}
		name, why := r.holiday(part, wrong)
		if why != "" {
			return nil, nil, why
		}
		dates = append(dates, Date{Holiday: name})
	}
	return weekdays, dates, ""
}

// holiday returns the name of a public holiday; wrong is what is no weekday in it.
func (r reader) holiday(text, wrong string) (name, why string) {
	switch alike := typed.Alike(text); {
	case anyForm.MatchString(text) && (r.holidays == nil || len(r.holidays) > 0):
		return anyHoliday, ""
	case r.holidays == nil && len(text) <= mostNamed:
		return text, ""
	default:
		for _, one := range r.holidays {
			if a := typed.Alike(one); a == alike || a == alike+" day" {
				return one, ""
			}
		}
	}
	switch named := strings.Contains(wrong, " ") || anyForm.MatchString(wrong); {
	case named && len(r.holidays) == 0:
		return "", printable.Quote(wrong) + " is not a day. Write a date such as 25 Dec 2026, or choose your state under Surcharges and tips: " +
			"then you can write the names of its public holidays."
	case named:
		return "", printable.Quote(wrong) + " is not a day. Write Mon, Mon-Fri, a date such as 25 Dec 2026, or a public holiday: " +
			strings.Join(r.holidays, ", ") + "."
	}
	return "", printable.Quote(wrong) + " is not a day. Write Mon, Mon-Fri, weekends or a date such as 25 Dec 2026."
}

// dates reads a date or a range of them. Without a year they are the coming ones.
func (r reader) dates(text string) (d Date, why string) {
	first, last := text, text
	if parts := fromToForm.FindStringSubmatch(text); parts != nil {
		if first, last = parts[1], parts[2]; len(strings.TrimRight(strings.ToLower(first), "stndrh")) <= 2 {
			first += strings.TrimLeft(ordinalForm.ReplaceAllString(last, "$1"), "0123456789") // of the month of the last
		}
	}
	from, okFrom := parseDate(first)
	to, okTo := parseDate(last)
	switch {
	case !okFrom:
		return d, printable.Short(first) + " is not a date. Write it like 25 Dec 2026."
	case !okTo:
		return d, printable.Short(last) + " is not a date. Write it like 25 Dec 2026."
	case to.Year() == 0 && from.Year() == 0:
		today := r.now.UTC().Add(-12 * time.Hour).Truncate(24 * time.Hour) // anywhere
		if to = to.AddDate(today.Year(), 0, 0); to.Before(today) {
			to = to.AddDate(1, 0, 0)
		}
	case to.Year() == 0:
		if to = to.AddDate(from.Year(), 0, 0); to.Before(from) {
			to = to.AddDate(1, 0, 0)
		}
	}
	if from.Year() == 0 {
		if from = from.AddDate(to.Year(), 0, 0); from.After(to) {
			from = from.AddDate(-1, 0, 0)
		}
	}
	if to.Before(from) {
		return d, fmt.Sprintf("%s is before %s. Write the first date first.", to.Format(dateForm), from.Format(dateForm))
	}
	return Date{Date: from.Format(time.DateOnly), Until: to.Format(time.DateOnly)}, ""
}

// inNumbers writes a date in numbers such that nothing in it looks like a list: "25/12/2026" as "2026-12-25", "25/12" as "25 Dec".
func inNumbers(date string) string {
	for typed, form := range map[string]string{"2-1-2006": time.DateOnly, "2006-1-2": time.DateOnly, "2-1-06": time.DateOnly, "2-1": "2 Jan"} {
		if day, err := time.Parse(typed, strings.NewReplacer("/", "-", ".", "-").Replace(date)); err == nil {
			return day.Format(form)
		}
	}
	return strings.ReplaceAll(date, "/", ".")
}

// parseDate reads a date, whose year is 0 if the text has none.
func parseDate(text string) (time.Time, bool) {
	text = ordinalForm.ReplaceAllString(text, "$1")
	for _, form := range []string{time.DateOnly, dateForm, "2 January 2006", "2 Jan", "2 January"} {
		if day, err := time.Parse(form, text); err == nil {
			return day, true
		}
	}
	return time.Time{}, false
}

// Closures says in sentences on which dates of the coming two weeks a business is closed: "Closed 25 December to 2 January."
func (h Hours) Closures(now time.Time) (all []string) {
	const ahead, named = 14, 4
	day := func(n int) time.Time { return time.Date(now.Year(), now.Month(), now.Day()+n, 12, 0, 0, 0, time.UTC) }
	closed := func(n int) bool { return slices.ContainsFunc(h.dated(day(n)), func(d Date) bool { return d.Closed }) }
	for n := 0; n <= ahead; n++ {
		if !closed(n) {
			continue
		}
		first := n
		for first > -farthest && closed(first-1) {
			first--
		}
		for n < farthest && closed(n+1) {
			n++
		}
		var names []string
		for one := first; one <= n; one++ {
			if name := h.holidays[day(one).Format(time.DateOnly)]; name != "" {
				names = append(names, name)
			}
		}
		from, text := "2 January", "Closed on "+day(n).Format("2 January")
		if first < n {
			if day(first).Month() == day(n).Month() && n-first < 28 {
				from = "2"
			}
			text = "Closed " + day(first).Format(from) + " to " + day(n).Format("2 January")
		}
		if len(names) > 0 && n-first < named {
			text += " (" + strings.Join(names, ", ") + ")"
		}
		all = append(all, text+".")
	}
	return all
}
