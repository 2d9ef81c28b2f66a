package gateway

import (
	"sync/atomic"
	"time"
)

// awayFor is how long a failed connection counts as the gateway being unreachable.
const awayFor = 30 * time.Second

// reach remembers whether the gateway could be reached.
type reach struct{ failed atomic.Pointer[time.Time] }

// note records whether a call reached the gateway. A call that was sent but not answered proves nothing.
func (r *reach) note(got reply, now time.Time) {
	switch {
	case got.err == nil:
		r.failed.Store(nil)
	case !got.connected:
		r.failed.Store(&now)
	}
}

func (r *reach) away(now time.Time) bool {
	failed := r.failed.Load()
	return failed != nil && now.Sub(*failed) < awayFor
}

// Reached reports whether the last conclusive call reached the gateway. It is true before the first one.
func (c *Client) Reached() bool { return c.reach.failed.Load() == nil }

// Away reports whether the gateway is known to be unreachable: a connection failed within the last 30 s, and no answer has come since.
func (c *Client) Away() bool { return c.reach.away(time.Now()) }
