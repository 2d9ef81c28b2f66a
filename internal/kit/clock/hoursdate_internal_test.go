package clock

import (
	"testing"
	"time"

	"forecourt/internal/kit/check"
)

// The names of a shop, on 30 November 2026.
var (
	named = []string{"Australia Day", "Boxing Day", "Christmas Day", "Good Friday", "New Year’s Day"}
	today = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
)

func TestClosedDaysAreReadAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"25 Dec – 2 Jan closed":                      "25 Dec 2026 - 2 Jan 2027 closed",
		"25 Dec 2026 to 2 Jan 2027 closed":           "25 Dec 2026 - 2 Jan 2027 closed",
		"closed 25/12/2026 to 2/1/2027":              "25 Dec 2026 - 2 Jan 2027 closed",
		"closed from 25/12/2026-2/1/2027":            "25 Dec 2026 - 2 Jan 2027 closed",
		"25/12 - 2/1 closed":                         "25 Dec 2026 - 2 Jan 2027 closed",
		"2026-12-25 - 2027-01-02 closed":             "25 Dec 2026 - 2 Jan 2027 closed",
		"25 Dec 2026 - 2 Jan closed":                 "25 Dec 2026 - 2 Jan 2027 closed",
		"25 Dec - 2 Jan 2027: closed":                "25 Dec 2026 - 2 Jan 2027 closed",
		"25–27 December closed":                      "25 Dec 2026 - 27 Dec 2026 closed",
		"25th to 27th Dec 2026 9am-noon":             "25 Dec 2026 - 27 Dec 2026 09:00-12:00",
		"25/12/2026 closed":                          "25 Dec 2026 closed",
		"25.12.2026 closed":                          "25 Dec 2026 closed",
		"25-12-2026 closed":                          "25 Dec 2026 closed",
		"25/12/26 closed":                            "25 Dec 2026 closed",
		"1 nov closed":                               "1 Nov 2027 closed",
		"30 Nov closed":                              "30 Nov 2026 closed",
		"25 Dec, 1st January & 26/1/2027 closed":     "25 Dec 2026 closed; 1 Jan 2027 closed; 26 Jan 2027 closed",
		"25 Dec 0900-1700":                           "25 Dec 2026 09:00-17:00",
		"24/7":                                       "Mon-Sun 00:00-24:00",
		"Open 24/7\nChristmas Day closed":            "Mon-Sun 00:00-24:00; Christmas Day closed",
		"Sat, Sun 24 hours":                          "Sat-Sun 00:00-24:00",
		"christmas closed":                           "Christmas Day closed",
		"Closed on Christmas Day and Good Friday":    "Christmas Day closed; Good Friday closed",
		"New Year's Day closed":                      "New Year’s Day closed",
		"Good Friday 8–noon":                         "Good Friday 08:00-12:00",
		"Good Friday 8–12, 14-18":                    "Good Friday 08:00-12:00, 14:00-18:00",
		"public holidays closed":                     "Public holidays closed",
		"public holidays 9am–2pm\nBoxing Day closed": "Boxing Day closed; Public holidays 09:00-14:00",
		"Mon-Fri 7-3pm\nSun & public holidays 9-2pm": "Mon-Fri 07:00-15:00; Sun 09:00-14:00; Public holidays 09:00-14:00",
		"Mondays to Fridays 7-3pm, 5-9pm":            "Mon-Fri 07:00-15:00, 17:00-21:00",
		"closed Mondays\nTue-Sun 7-3pm":              "Tue-Sun 07:00-15:00",
		"20 Dec - 5 Jan closed; 24 Dec 9am-noon":     "20 Dec 2026 - 5 Jan 2027 closed; 24 Dec 2026 09:00-12:00",
	} {
		got, wrong := tidyHours(text, named, today)
		if got != want || wrong != "" {
			t.Errorf("%q: %q %q", text, got, wrong)
			continue
		}
		again, wrong := tidyHours(got, nil, today.AddDate(2, 0, 0))
		check.Equal(t, again+wrong, want, "tidying %q again gave", got)
	}
}

func TestAWrongDayIsNamedWithWhatWouldWork(t *testing.T) {
	t.Parallel()
	const names = "or a public holiday: Australia Day, Boxing Day, Christmas Day, Good Friday, New Year’s Day."
	for _, tt := range []struct {
		text, want string
		holidays   []string
	}{
		{"Mon 9am-5pm\nChrismas Day closed",
			"“Chrismas Day closed”: “chrismas day” is not a day. Write Mon, Mon-Fri, a date such as 25 Dec 2026, " + names, named},
		{"Christmas Day closed", "“Christmas Day closed”: “christmas day” is not a day. Write a date such as 25 Dec 2026, " +
			"or choose your state under Surcharges and tips: then you can write the names of its public holidays.", []string{}},
		{"Public holidays 9am-2pm", "“Public holidays 9am-2pm”: “public holidays” is not a day. Write a date such as 25 Dec 2026, " +
			"or choose your state under Surcharges and tips: then you can write the names of its public holidays.", []string{}},
		{"12/25/2026 closed", "“12/25/2026 closed”: 12.25.2026 is not a date. Write it like 25 Dec 2026.", named},
		{"2 Jan 2027 - 25 Dec 2026 closed",
			"“2 Jan 2027 - 25 Dec 2026 closed”: 25 Dec 2026 is before 2 Jan 2027. Write the first date first.", named},
		{"20 Dec - 30 Dec closed\n25 Dec - 2 Jan closed",
			"20 Dec 2026 - 30 Dec 2026 and 25 Dec 2026 - 2 Jan 2027: these days overlap. Join or shorten them.", named},
		{"25 Dec closed\n25/12/2026 9am-noon", "25 Dec 2026: these times overlap. Join or shorten them.", named},
		{"Mno-Fri 8-12", "“Mno-Fri 8-12”: “mno” is not a day. Write Mon, Mon-Fri, weekends or a date such as 25 Dec 2026.", named},
	} {
		_, wrong := tidyHours(tt.text, tt.holidays, today)
		check.Equal(t, wrong, tt.want, "%q", tt.text)
	}
}

var kept = Holidays{"2026-12-25": "Christmas Day", "2026-12-26": "Boxing Day", "2027-01-01": "New Year's Day"}

func TestTheClosestRuleForADayCounts(t *testing.T) {
	t.Parallel()
	const week = "Mon-Sun 08:00-15:00; "
	for _, tt := range []struct{ hours, day, want string }{
		{"Public holidays 10:00-12:00", "2026-12-25", "10:00"},
		{"Public holidays 10:00-12:00; Christmas Day closed", "2026-12-25", ""},
		{"Public holidays closed; Christmas Day 11:00-12:00", "2026-12-25", "11:00"},
		{"New Year’s Day closed", "2027-01-01", ""},
		{"New Year’s Day closed", "2027-01-02", "08:00"},
		{"Australia Day closed", "2026-12-25", "08:00"},
		{"20 Dec 2026 - 2 Jan 2027 closed; Christmas Day 11:00-12:00", "2026-12-25", ""},
		{"20 Dec 2026 - 2 Jan 2027 closed; 25 Dec 2026 13:00-14:00", "2026-12-25", "13:00"},
		{"20 Dec 2026 - 2 Jan 2027 closed", "2027-01-02", ""},
		{"20 Dec 2026 - 2 Jan 2027 closed", "2027-01-03", "08:00"},
	} {
		h, err := ParseHours(week + tt.hours)
		check.Must(t, err)
		at, err := time.Parse(time.DateOnly, tt.day)
		check.Must(t, err)
		got := ""
		if next, ok := h.Keeping(kept).Next(at); ok && next.Day() == at.Day() {
			got = next.Format("15:04")
		}
		check.Equal(t, got, tt.want, "with %s it opens on %s at", tt.hours, tt.day)
	}
}

func TestGuestsReadOfClosedDaysTwoWeeksBefore(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ hours, now, want string }{
		{"25 Dec 2026 - 2 Jan 2027 closed", "2026-12-11", "Closed 25 December to 2 January."},
		{"25 Dec 2026 - 2 Jan 2027 closed", "2026-12-10", ""},
		{"25 Dec 2026 - 2 Jan 2027 closed", "2026-12-30", "Closed 25 December to 2 January."},
		{"25 Dec 2026 - 2 Jan 2027 closed", "2027-01-03", ""},
		{"Public holidays closed", "2026-12-20", "Closed 25 to 26 December (Christmas Day, Boxing Day). Closed on 1 January (New Year's Day)."},
		{"25 Dec 2026 closed; Mon-Fri 08:00-12:00", "2026-12-20", "Closed on 25 December (Christmas Day)."},
		{"24 Dec 2026 closed", "2026-12-20", "Closed on 24 December."},
		{"Public holidays 10:00-12:00; Mon 08:00-12:00", "2026-12-20", ""},
	} {
		h, err := ParseHours(tt.hours)
		check.Must(t, err)
		now, err := time.Parse(time.DateOnly, tt.now)
		check.Must(t, err)
		got := ""
		for _, one := range h.Keeping(kept).Closures(now) {
			got += " " + one
		}
		if got != "" {
			got = got[1:]
		}
		check.Equal(t, got, tt.want, "with %s on %s", tt.hours, tt.now)
	}
}
