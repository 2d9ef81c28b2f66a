package secret

import (
	"net/netip"
	"testing"
	"time"

	"forecourt/internal/kit/check"
)

func TestHashingPausesWhileOthersWait(t *testing.T) {
	t.Parallel()
	h := NewHasher()
	for entered := range cap(h.waiting) {
		want := time.Duration(0)
		if entered > cap(h.running) {
			want = time.Second
		}
		if got := h.rest(time.Second); got != want {
			t.Errorf("with %d in the queue and %d running: %s, want %s", entered, cap(h.running), got, want)
		}
		_, _, err := h.Enter(t.Context(), netip.Prefix{})
		check.Must(t, err)
	}
}
