package secret

import (
	"testing"
	"time"

	"forecourt/internal/kit/check"
)

func TestHashingPausesWhileOthersWait(t *testing.T) {
	t.Parallel()
	h := NewHasher()
	check.Equal(t, h.rest(time.Second), 0, "the pause of a single caller")
	h.waiting.Add(1)
	check.Equal(t, h.rest(time.Second), time.Second, "the pause while somebody waits")
}
