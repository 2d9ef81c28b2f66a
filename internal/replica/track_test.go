package replica

import (
	"testing"
	"time"
)

func TestAReplicaIsAsOldAsItsLastPosition(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for _, tt := range []struct {
		name     string
		moments  []moment
		position int64
		want     time.Duration // -1 if the age is unknown
	}{
		{"no positions known", nil, 7, -1},
		{"up to date", []moment{{0, 10}, {100 * ms, 20}}, 20, 100 * ms},
		{"some bytes missing", []moment{{0, 10}, {100 * ms, 20}}, 19, 0},
		{"no writes", []moment{{0, 10}, {100 * ms, 10}, {200 * ms, 10}}, 10, 200 * ms},
		{"standing still", []moment{{0, 10}, {100 * ms, 20}}, 9, -1},
		{"older than the bound", []moment{{0, 10}, {100 * ms, 20}, {400 * ms, 30}}, 15, -1},
		{"the database went back, as after a promotion", []moment{{0, 30}, {100 * ms, 20}}, 25, 100 * ms},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var seen track
			for _, m := range tt.moments {
				seen.add(m.at, m.position)
			}
			got, ok := seen.reached(tt.position)
			if !ok {
				got = -1
			}
			if got != tt.want {
				t.Errorf("as of %s, want %s", got, tt.want)
			}
		})
	}
}
