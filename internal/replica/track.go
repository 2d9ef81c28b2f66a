package replica

import "time"

// track lists recent positions of a database with their moments, because a copy is always some milliseconds behind the latest.
type track []moment

type moment struct {
	at       time.Duration
	position int64
}

func (t *track) add(at time.Duration, position int64) {
	all := *t
	for len(all) > 0 && at-all[0].at > Bound {
		all = all[1:]
	}
	*t = append(all, moment{at, position})
}

// reached returns the last moment whose position the copy has reached.
func (t *track) reached(position int64) (at time.Duration, ok bool) {
	all := *t
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].position <= position {
			return all[i].at, true
		}
	}
	return 0, false
}
