package throttle

import (
	"context"
	"slices"
	"sync"
	"time"

	"forecourt/internal/kit/fault"
)

// mostWaiting is how many may wait in one line. Everybody who waits takes memory, and holds one of the requests that a network may make at
// once.
const mostWaiting = 16

// ErrFull means that somebody found no place in time.
var ErrFull = fault.New(fault.TooMany, "too many at once")

// Places are what few can do at once, such as checking a password or sending a file. Each visitor has a few of them and a line in which to
// wait for one. A place that gets free goes to the lines in turn, alternately to one of somebody known and to one of a network: a crowd
// waits for itself, however many it sends.
type Places struct {
	all, each int
	patience  time.Duration

	mu    sync.Mutex
	taken int
	lines map[Who]*line
	rings [2][]*line // of those who wait, whose turn is next first: networks, and somebody known
	turn  int        // the ring that is next
}

type line struct {
	who     Who
	taken   int
	waiting []chan struct{} // closed when their turn comes
}

// NewPlaces returns Places, at most all of them in total and each of them for one visitor. patience is how long Enter waits.
func NewPlaces(all, each int, patience time.Duration) *Places {
	return &Places{all: all, each: each, patience: patience, lines: map[Who]*line{}}
}

// Take takes a place if one is free; leave gives it back, once.
func (p *Places) Take(who Who) (leave func(), ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.line(who)
	if !p.free(l) {
		p.forget(l)
		return nil, false
	}
	return p.give(l), true
}

// Taken returns how many places are taken.
func (p *Places) Taken() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.taken
}

// place is the context key of a place.
type place struct{ p *Places }

// Enter takes a place, and waits for it if there is none. Enter with the returned context needs no other place. The error is ErrFull, or
// ctx's.
func (p *Places) Enter(ctx context.Context, who Who) (_ context.Context, leave func(), err error) {
	if ctx.Value(place{p}) != nil {
		return ctx, func() {}, nil
	}
	within := context.WithValue(ctx, place{p}, true)
	p.mu.Lock()
	l := p.line(who)
	if len(l.waiting) == 0 && p.free(l) {
		defer p.mu.Unlock()
		return within, p.give(l), nil
	}
	if len(l.waiting) == mostWaiting {
		defer p.mu.Unlock()
		return ctx, nil, ErrFull
	}
	turn := make(chan struct{})
	if l.waiting = append(l.waiting, turn); len(l.waiting) == 1 {
		p.rings[l.ring()] = append(p.rings[l.ring()], l)
	}
	p.mu.Unlock()

	timer := time.NewTimer(p.patience)
	defer timer.Stop()
	err = ErrFull
	select {
	case <-turn:
		return within, sync.OnceFunc(func() { p.leave(l) }), nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-timer.C:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if at := slices.Index(l.waiting, turn); at >= 0 {
		l.waiting = slices.Delete(l.waiting, at, at+1)
		p.rest(l)
		p.forget(l)
		return ctx, nil, err
	}
	return within, sync.OnceFunc(func() { p.leave(l) }), nil // its turn came at the same moment
}

// line returns the line of a visitor. The other methods in lower case, too, need the lock, except leave.
func (p *Places) line(who Who) *line {
	if p.lines[who] == nil {
		p.lines[who] = &line{who: who}
	}
	return p.lines[who]
}

func (p *Places) free(l *line) bool { return p.taken < p.all && l.taken < p.each }

func (p *Places) give(l *line) (leave func()) {
	p.taken++
	l.taken++
	return sync.OnceFunc(func() { p.leave(l) })
}

// leave gives a place back, and serves whose turn it is.
func (p *Places) leave(l *line) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.taken--
	l.taken--
	p.forget(l)
	more := true
	for more {
		more = p.serve(p.turn) || p.serve(1-p.turn)
	}
}

// serve gives a place to the next line of a ring that may have one. That line is then the last.
func (p *Places) serve(ring int) bool {
	at := slices.IndexFunc(p.rings[ring], p.free)
	if at < 0 {
		return false
	}
	l := p.rings[ring][at]
	p.rings[ring] = append(slices.Delete(p.rings[ring], at, at+1), l)
	p.give(l)
	close(l.waiting[0])
	l.waiting = l.waiting[1:]
	p.rest(l)
	p.turn = 1 - ring
	return true
}

// rest takes a line in which nobody waits out of its ring.
func (p *Places) rest(l *line) {
	if len(l.waiting) == 0 {
		p.rings[l.ring()] = slices.DeleteFunc(p.rings[l.ring()], func(one *line) bool { return one == l })
	}
}

// forget drops a line that nobody is in.
func (p *Places) forget(l *line) {
	if l.taken == 0 && len(l.waiting) == 0 {
		delete(p.lines, l.who)
	}
}

func (l *line) ring() int {
	if l.who.known != "" {
		return 1
	}
	return 0
}
