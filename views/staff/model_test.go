package staff

import (
	"testing"
	"time"

	"forecourt/internal/kit/check"
)

func TestStaffReadTimesInANamedZone(t *testing.T) {
	t.Parallel()
	got := When(time.Date(2026, 11, 22, 14, 12, 0, 0, time.UTC))
	check.Equal(t, got, "23 November 2026, 1:12\u00a0am\u00a0AEDT", "the time")
}
