package demo

import (
	"time"

	"forecourt/internal/kit/clock"
)

// Outbox is the path of the outbox.
const Outbox = "/dev/outbox"

// stamp returns the time of a mail by the clock for letters that are about no business.
func stamp(at time.Time) string { return clock.Exact(at, clock.Zone(clock.Home)) }
