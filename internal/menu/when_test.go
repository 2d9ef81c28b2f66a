package menu_test

import (
	"testing"
	"time"

	"forecourt/internal/menu"
)

func TestATimeIsReadInTheShopsZone(t *testing.T) {
	t.Parallel()
	for wall, want := range map[[3]string]string{
		{"Australia/Sydney", "2026-11-23", "06:00"}:    "2026-11-22T19:00:00Z",
		{"Australia/Sydney", "2026-10-04", "02:30"}:    "", // clocks jump from 2 to 3
		{"Australia/Sydney", "2027-04-04", "02:30"}:    "2027-04-03T15:30:00Z",
		{"Australia/Lord_Howe", "2027-04-04", "01:45"}: "2027-04-03T14:45:00Z",
		{"Europe/London", "2026-10-25", "01:30"}:       "2026-10-25T00:30:00Z",
		{"America/New_York", "2026-11-01", "01:30"}:    "2026-11-01T05:30:00Z",
		{"America/New_York", "2026-03-08", "02:30"}:    "",
		{"Australia/Sydney", "2026-02-30", "06:00"}:    "",
		{"Nowhere", "2026-02-03", "06:00"}:             "",
	} {
		at, ok := menu.Moment(wall[0], wall[1], wall[2])
		if got := at.UTC().Format(time.RFC3339); ok != (want != "") || ok && got != want {
			t.Errorf("%v: %s, %t", wall, got, ok)
		}
	}
}
