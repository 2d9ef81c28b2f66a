package clock_test

import (
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/clock"
)

func TestHoursFollowLocalTime(t *testing.T) {
	t.Parallel()
	sydney, err := time.LoadLocation("Australia/Sydney")
	check.Must(t, err)
	for _, tt := range []struct {
		name, hours, at, want string // in Sydney; want is "" for never
	}{
		{"always", "", "2026-11-18 03:00", "2026-11-18 03:00"},
		{"open", "Mon-Fri 07:00-11:30", "2026-11-18 11:29", "2026-11-18 11:29"},
		{"closed at the end", "Mon-Fri 07:00-11:30", "2026-11-18 11:30", "2026-11-19 07:00"},
		{"over the weekend", "Mon-Fri 07:00-11:30", "2026-11-20 12:00", "2026-11-23 07:00"},
		{"later today", "Wed 07:00-09:00, 17:00-21:00", "2026-11-18 10:00", "2026-11-18 17:00"},
		{"after midnight", "Fri 18:00-02:00", "2026-11-21 01:59", "2026-11-21 01:59"},
		{"after the end past midnight", "Fri 18:00-02:00", "2026-11-21 02:00", "2026-11-27 18:00"},
		{"a date that is closed", "Mon-Sun 08:00-15:00; 2026-12-25 closed", "2026-12-25 10:00", "2026-12-26 08:00"},
		{"a date with its own hours", "Mon-Sun 08:00-15:00; 2026-12-24 10:00-12:00", "2026-12-24 09:00", "2026-12-24 10:00"},
		{"the night before a closed date continues", "Thu 18:00-02:00; 2026-12-25 closed", "2026-12-25 01:00", "2026-12-25 01:00"},
		{"always except on a date", "2026-12-25 closed", "2026-12-25 10:00", "2026-12-26 00:00"},
		{"never", "2020-01-01 10:00-12:00; Mon 10:00-12:00; 2026-11-23 closed", "2026-11-23 11:00", "2026-11-30 10:00"},
		{"clocks go forward: 2:30 does not exist", "Sun 02:30-05:00", "2026-10-04 00:00", "2026-10-04 03:30"},
		{"a short night", "Sat 22:00-04:00", "2026-10-04 03:59", "2026-10-04 03:59"},
		{"a short night ends by the clock", "Sat 22:00-04:00", "2026-10-04 04:00", "2026-10-10 22:00"},
		{"clocks go back: a long night", "Sat 22:00-04:00", "2026-04-05 03:59", "2026-04-05 03:59"},
		{"a long night ends by the clock", "Sat 22:00-04:00", "2026-04-05 04:00", "2026-04-11 22:00"},
		{"the morning after the change", "Mon-Sun 07:00-11:00", "2026-04-05 05:00", "2026-04-05 07:00"},
	} {
		h, err := clock.ParseHours(tt.hours)
		check.Must(t, err)
		at, err := time.ParseInLocation("2006-01-02 15:04", tt.at, sydney)
		check.Must(t, err)
		got := ""
		if next, ok := h.Next(at); ok {
			got = next.Format("2006-01-02 15:04")
		}
		check.Equal(t, got, tt.want, "%s: at %s it is open from", tt.name, tt.at)
	}
}

func TestHoursSayWhenTheyEnd(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ hours, at, want string }{
		{"Wed 16:00-18:00", "2026-11-18 16:00", "2026-11-18 18:00"},
		{"Wed 16:00-18:00, 18:00-19:00", "2026-11-18 17:00", "2026-11-18 19:00"},
		{"Wed 22:00-02:00", "2026-11-19 01:00", "2026-11-19 02:00"},
		{"Wed 16:00-24:00; Thu 00:00-03:00", "2026-11-18 17:00", "2026-11-19 03:00"},
		{"Mon-Sun 00:00-24:00", "2026-11-18 17:00", "0001-01-01 00:00"},
	} {
		h, err := clock.ParseHours(tt.hours)
		check.Must(t, err)
		at, err := time.Parse("2006-01-02 15:04", tt.at)
		check.Must(t, err)
		check.Equal(t, h.Ends(at).Format("2006-01-02 15:04"), tt.want, "%s at %s end", tt.hours, tt.at)
	}
}

func TestOpensWords(t *testing.T) {
	t.Parallel()
	at := func(text string) time.Time {
		moment, err := time.Parse("2006-01-02 15:04", text)
		check.Must(t, err)
		return moment
	}
	shop, _ := clock.ParseHours("Mon-Fri 08:00-20:00")
	lunch, _ := clock.ParseHours("Mon-Sun 11:30-14:00")
	closed, _ := clock.ParseHours("Sat 09:00-10:00")
	for _, tt := range []struct {
		now, want string
		hours     []clock.Hours
	}{
		{"2026-11-18 09:00", "opens at 11:30 am", []clock.Hours{shop, lunch}},
		{"2026-11-18 15:00", "opens tomorrow at 11:30 am", []clock.Hours{lunch, shop}},
		{"2026-11-20 15:00", "opens on Monday at 11:30 am", []clock.Hours{shop, lunch}},
		{"2026-11-21 09:30", "not on sale at the moment", []clock.Hours{shop, closed}},
	} {
		opens, _ := clock.Opens(at(tt.now), tt.hours...)
		check.Equal(t, clock.OpensWords(opens, at(tt.now)), tt.want, "%s", tt.now)
	}
	check.Equal(t, clock.OpensWords(at("2026-12-27 08:00"), at("2026-12-18 08:00")), "opens on 27 December at 8:00 am", "menu.OpensWords")
}
