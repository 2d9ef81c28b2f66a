package staff

import (
	"testing"
	"time"
)

func TestStaffReadTimesInANamedZone(t *testing.T) {
	t.Parallel()
	got := MomentOf(time.Date(2026, 11, 22, 14, 12, 0, 0, time.UTC))
	if got.Text != "23 November 2026, 1:12\u00a0am\u00a0AEDT" || got.ISO != "2026-11-22T14:12:00Z" {
		t.Errorf("%+v", got)
	}
}
