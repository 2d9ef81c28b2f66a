package menu_test

import (
	"testing"
	"time"

	"forecourt/internal/menu"
)

func TestATimeOfDayIsTheNextOneOnTheClockOnTheWall(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, zone, now, clock, want string }{
		{"later today", "Australia/Sydney", "2026-11-18T10:00:00+11:00", "16:30", "2026-11-18T16:30:00+11:00"},
		{"the same minute is tomorrow's", "Australia/Sydney", "2026-11-18T16:30:00+11:00", "16:30", "2026-11-19T16:30:00+11:00"},
		{"the end of the month", "Australia/Sydney", "2026-11-30T23:00:00+11:00", "06:00", "2026-12-01T06:00:00+11:00"},
		{"over the night in which the clock goes forward", "Australia/Sydney", "2026-10-03T22:00:00+10:00", "07:00", "2026-10-04T07:00:00+11:00"},
		{"a time that the clock skips", "Australia/Sydney", "2026-10-03T22:00:00+10:00", "02:30", "2026-10-04T03:00:00+11:00"},
		{"over the night in which it goes back", "Australia/Sydney", "2026-04-04T22:00:00+11:00", "07:00", "2026-04-05T07:00:00+10:00"},
		{"a time that it shows twice", "Australia/Sydney", "2026-04-04T22:00:00+11:00", "02:30", "2026-04-05T02:30:00+11:00"},
		{"the second of them", "Australia/Sydney", "2026-04-05T02:45:00+11:00", "02:30", "2026-04-05T02:30:00+10:00"},
		{"after both", "Australia/Sydney", "2026-04-05T02:45:00+10:00", "02:30", "2026-04-06T02:30:00+10:00"},
		{"half an hour back", "Australia/Lord_Howe", "2026-04-05T01:45:00+11:00", "01:40", "2026-04-05T01:40:00+10:30"},
		{"a midnight that the clock skips", "America/Santiago", "2026-09-05T20:00:00-04:00", "00:00", "2026-09-06T01:00:00-03:00"},
	} {
		clock, ok := menu.ParseClock(tt.clock)
		if got := menu.NextClock(in(t, tt.zone, tt.now), clock).Format(time.RFC3339); !ok || got != tt.want {
			t.Errorf("%s: %s after %s is %s, want %s", tt.name, tt.clock, tt.now, got, tt.want)
		}
	}
}

func TestTomorrowBeginsWhenTheShopsDayIsOver(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, hours, now, want string }{
		{"at midnight", "", "2026-11-18T10:00:00+11:00", "2026-11-19T00:00:00+11:00"},
		{"at midnight of a shop that is closed by then", "Mon-Sun 07:00-15:00", "2026-11-18T10:00:00+11:00", "2026-11-19T00:00:00+11:00"},
		{"a bar's evening ends at two", "Fri 18:00-02:00", "2026-11-20T23:30:00+11:00", "2026-11-21T02:00:00+11:00"},
		{"after midnight in that bar", "Fri 18:00-02:00", "2026-11-21T01:00:00+11:00", "2026-11-21T02:00:00+11:00"},
		{"in the night in which the clock goes forward", "", "2026-10-03T23:30:00+10:00", "2026-10-04T00:00:00+10:00"},
		{"on that day", "", "2026-10-04T10:00:00+11:00", "2026-10-05T00:00:00+11:00"},
		{"a long night ends by the clock", "Sat 22:00-04:00", "2026-04-04T23:00:00+11:00", "2026-04-05T04:00:00+10:00"},
	} {
		hours, bad := menu.ParseHours(tt.hours)
		if got := menu.Tomorrow(in(t, "Australia/Sydney", tt.now), hours).Format(time.RFC3339); bad != "" || got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func in(t *testing.T, zone, at string) time.Time {
	t.Helper()
	place, err := time.LoadLocation(zone)
	if err != nil {
		t.Fatal(err)
	}
	moment, err := time.Parse(time.RFC3339, at)
	if err != nil {
		t.Fatal(err)
	}
	return moment.In(place)
}
