package gateway

import (
	"sync/atomic"
	"time"
)

// awayFor is how long a connection that could not be opened speaks for the gateway.
const awayFor = 30 * time.Second

// reach remembers whether the gateway could be reached.
type reach struct{ failed atomic.Pointer[time.Time] }

// note takes down what came of a call. A call that was sent and not answered tells neither way.
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

// Away tells whether the gateway is known to be out of reach: no connection could be opened within the last 30 s, and
// nothing was answered since.
func (c *Client) Away() bool { return c.reach.away(time.Now()) }
