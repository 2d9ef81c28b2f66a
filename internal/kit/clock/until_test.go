package clock_test

import (
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/clock"
)

func TestNextClockFollowsLocalTime(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, zone, now, clock, want string }{
		{"later today", "Australia/Sydney", "2026-11-18T10:00:00+11:00", "16:30", "2026-11-18T16:30:00+11:00"},
		{"the same minute means tomorrow", "Australia/Sydney", "2026-11-18T16:30:00+11:00", "16:30", "2026-11-19T16:30:00+11:00"},
		{"the end of the month", "Australia/Sydney", "2026-11-30T23:00:00+11:00", "06:00", "2026-12-01T06:00:00+11:00"},
		{"overnight while clocks go forward", "Australia/Sydney", "2026-10-03T22:00:00+10:00", "07:00", "2026-10-04T07:00:00+11:00"},
		{"overnight while clocks go back", "Australia/Sydney", "2026-04-04T22:00:00+11:00", "07:00", "2026-04-05T07:00:00+10:00"},
	} {
		end, ok := clock.ParseClock(tt.clock)
		if got := clock.NextClock(in(t, tt.zone, tt.now), end).Format(time.RFC3339); !ok || got != tt.want {
			t.Errorf("%s: %s after %s is %s, want %s", tt.name, tt.clock, tt.now, got, tt.want)
		}
	}
}

func TestTomorrowBeginsWhenTheShopsDayEnds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, hours, now, want string }{
		{"at midnight", "", "2026-11-18T10:00:00+11:00", "2026-11-19T00:00:00+11:00"},
		{"at midnight if the shop closes earlier", "Mon-Sun 07:00-15:00", "2026-11-18T10:00:00+11:00", "2026-11-19T00:00:00+11:00"},
		{"a bar's evening ends at two", "Fri 18:00-02:00", "2026-11-20T23:30:00+11:00", "2026-11-21T02:00:00+11:00"},
		{"after midnight on the same evening", "Fri 18:00-02:00", "2026-11-21T01:00:00+11:00", "2026-11-21T02:00:00+11:00"},
		{"the night in which clocks go forward", "", "2026-10-03T23:30:00+10:00", "2026-10-04T00:00:00+10:00"},
		{"the day after that night", "", "2026-10-04T10:00:00+11:00", "2026-10-05T00:00:00+11:00"},
		{"a long night ends by the clock", "Sat 22:00-04:00", "2026-04-04T23:00:00+11:00", "2026-04-05T04:00:00+10:00"},
	} {
		hours, err := clock.ParseHours(tt.hours)
		if got := clock.Tomorrow(in(t, "Australia/Sydney", tt.now), hours).Format(time.RFC3339); err != nil || got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func in(t *testing.T, zone, at string) time.Time {
	t.Helper()
	place, err := time.LoadLocation(zone)
	check.Must(t, err)
	moment, err := time.Parse(time.RFC3339, at)
	check.Must(t, err)
	return moment.In(place)
}
