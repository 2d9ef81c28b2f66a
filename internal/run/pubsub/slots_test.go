package pubsub_test

import (
	"net/netip"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/run/pubsub"
)

func TestSlots(t *testing.T) {
	t.Parallel()
	slots := pubsub.NewSlots(4, 2)
	take := func(address string, want bool) func() {
		t.Helper()
		from, _ := netip.ParseAddr(address)
		release, ok := slots.Take(from)
		check.Equal(t, ok, want, "a slot for %q", address)
		return release
	}
	first := take("192.0.2.1", true)
	take("::ffff:192.0.2.1", true)
	take("192.0.2.1", false)
	first()
	first()
	first = take("192.0.2.1", true)
	take("2001:db8::1", true)
	take("2001:db8::ffff:1%eth0", true)
	take("2001:db8::2", false)
	take("192.0.2.9", false) // the total is reached
	first()
	take("", true)
	check.Equal(t, slots.Open(), 4, "open")
}
