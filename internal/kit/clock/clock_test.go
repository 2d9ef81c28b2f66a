package clock_test

import (
	"testing"
	"time"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/clock"
)

func TestMidnightIsShownAsTheEndOfTheDayBefore(t *testing.T) {
	t.Parallel()
	sydney := clock.Zone("Australia/Sydney")
	for at, want := range map[time.Time]string{
		time.Date(2034, 12, 31, 13, 0, 0, 0, time.UTC):  "the end of 31 December 2034\u00a0(AEDT)",
		time.Date(2034, 12, 31, 12, 59, 0, 0, time.UTC): "31 December 2034, 11:59\u00a0pm\u00a0AEDT",
		time.Date(2035, 1, 1, 0, 0, 0, 0, time.UTC):     "1 January 2035, 11:00\u00a0am\u00a0AEDT",
	} {
		check.Equal(t, clock.End(at, sydney), want, "clock.End, %s", at)
	}
}

func TestAMomentNamesTheZoneOfTheBusiness(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ zone, at, want string }{
		{"Australia/Sydney", "2026-11-22T04:12:00Z", "22 November 2026, 3:12\u00a0pm\u00a0AEDT"},
		{"Australia/Sydney", "2026-06-22T04:12:00Z", "22 June 2026, 2:12\u00a0pm\u00a0AEST"}, // winter time
		{"Australia/Perth", "2026-11-22T04:12:00Z", "22 November 2026, 12:12\u00a0pm\u00a0AWST"},
		{"Europe/London", "2026-11-22T23:59:00Z", "22 November 2026, 11:59\u00a0pm\u00a0GMT"},
		{"Asia/Singapore", "2026-11-22T23:59:00Z", "23 November 2026, 7:59\u00a0am\u00a0UTC+8"},
		{"Australia/Lord_Howe", "2026-06-22T00:00:00Z", "22 June 2026, 10:30\u00a0am\u00a0UTC+10:30"},
		{"America/Sao_Paulo", "2026-06-22T00:00:00Z", "21 June 2026, 9:00\u00a0pm\u00a0UTC-3"},
		{"Moon/Base", "2026-11-22T04:12:00Z", "22 November 2026, 4:12\u00a0am\u00a0UTC"},
		{"Local", "2026-11-22T04:12:00Z", "22 November 2026, 4:12\u00a0am\u00a0UTC"},
		{"../etc/passwd", "2026-11-22T04:12:00Z", "22 November 2026, 4:12\u00a0am\u00a0UTC"},
		{"", "2026-11-22T04:12:00Z", "22 November 2026, 4:12\u00a0am\u00a0UTC"},
	} {
		at, err := time.Parse(time.RFC3339, c.at)
		check.Must(t, err)
		check.Equal(t, clock.Text(at, clock.Zone(c.zone)), c.want, "%s in %q", c.at, c.zone)
	}
}
