package clock_test

import (
	"testing"
	"time"

	"forecourt/internal/kit/clock"
)

func TestASpanIsWordedInItsLargestWholeUnit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		of            time.Duration
		span, spelled string
	}{
		{15 * time.Second, "15 seconds", "15 seconds"},
		{time.Minute, "1 minute", "a minute"},
		{90 * time.Second, "90 seconds", "90 seconds"},
		{10 * time.Minute, "10 minutes", "ten minutes"},
		{30 * time.Minute, "30 minutes", "30 minutes"},
		{time.Hour, "1 hour", "an hour"},
		{90 * time.Minute, "90 minutes", "90 minutes"},
		{24 * time.Hour, "1 day", "a day"},
		{36 * time.Hour, "36 hours", "36 hours"},
		{48 * time.Hour, "2 days", "two days"},
		{7 * 24 * time.Hour, "7 days", "seven days"},
	} {
		if span, spelled := clock.Span(tt.of), clock.Spelled(tt.of); span != tt.span || spelled != tt.spelled {
			t.Errorf("%s is worded as %q and %q, want %q and %q", tt.of, span, spelled, tt.span, tt.spelled)
		}
	}
}
