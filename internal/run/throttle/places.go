package throttle

import (
	"context"
	"slices"
	"sync"
	"time"

	"forecourt/internal/kit/fault"
)

// mostWaiting is how many may wait in one line, if Places.Line does not say more. Everybody who waits takes memory, and holds one of the
// requests that a network may make at once.
const mostWaiting = 16

// Places that somebody had lately count up to mostHad, and half of them are forgotten each halfLife.
const (
	mostHad  = 8
	halfLife = 15 * time.Minute
)

// ErrFull means that somebody found no place in time.
var ErrFull = fault.New(fault.TooMany, "too many at once")

// Places are what few can do at once, such as checking a password or sending a file. Each visitor has a few of them and a line in which to
// wait for one; somebody known waits in the line of their network, too. A place that gets free goes alternately to the lines of networks
// and to those of people who are known, to one that had few places lately before others, and else in turn. So neither many requests of a
// few networks nor many accounts of one person keep others waiting.
type Places struct {
	Line int // how many may wait in one line

	all, each int
	patience  time.Duration

	mu    sync.Mutex
	taken int
	lines map[Who]*line
	rings [2][]*line // in which somebody waits, whose turn it is first: networks, and people who are known
	turn  int        // the ring that is next
	aged  time.Time  // when line.had was halved
}

type line struct {
	who     Who
	taken   int
	had     int // places lately, by Enter
	waiting []*waiter
}

// waiter is one visitor, who waits in one line or more.
type waiter struct {
	lines []*line
	turn  chan struct{} // closed when it comes
	leave func()        // nil until then
}

// NewPlaces returns Places, at most all of them in total and each of them for one visitor. patience is how long Enter waits.
func NewPlaces(all, each int, patience time.Duration) *Places {
	return &Places{Line: mostWaiting, all: all, each: each, patience: patience, lines: map[Who]*line{}, aged: time.Now()}
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
	return p.take(l), true
}

// Taken returns how many places are taken.
func (p *Places) Taken() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.taken
}

// place is the context key of a place.
type place struct{ p *Places }

// Enter takes a place, and waits for it if there is none, in the line of each who. Enter with the returned context needs no other place.
// The error is ErrFull, or ctx's.
func (p *Places) Enter(ctx context.Context, who ...Who) (_ context.Context, leave func(), err error) {
	if ctx.Value(place{p}) != nil {
		return ctx, func() {}, nil
	}
	w, ok := p.join(who)
	if !ok {
		return ctx, nil, ErrFull
	}
	timer := time.NewTimer(p.patience)
	defer timer.Stop()
	select {
	case <-w.turn:
	case <-ctx.Done():
		err = ctx.Err()
	case <-timer.C:
		err = ErrFull
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if w.leave == nil {
		p.quit(w)
		return ctx, nil, err
	}
	return context.WithValue(ctx, place{p}, true), w.leave, nil
}

// join puts somebody in the lines that are not full. It reports false if there is none.
func (p *Places) join(who []Who) (*waiter, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.age()
	w := &waiter{turn: make(chan struct{})}
	for _, one := range who {
		l := p.line(one)
		if len(l.waiting) == p.Line {
			continue
		}
		if l.waiting = append(l.waiting, w); len(l.waiting) == 1 {
			p.rings[l.ring()] = append(p.rings[l.ring()], l)
		}
		w.lines = append(w.lines, l)
	}
	p.serve()
	return w, len(w.lines) > 0
}

// line returns the line of a visitor. The methods below need the lock.
func (p *Places) line(who Who) *line {
	if p.lines[who] == nil {
		p.lines[who] = &line{who: who}
	}
	return p.lines[who]
}

func (p *Places) free(l *line) bool { return p.taken < p.all && l.taken < p.each }

// take takes a place. Whoever leaves it needs no lock.
func (p *Places) take(l *line) (leave func()) {
	p.taken++
	l.taken++
	return sync.OnceFunc(func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.taken--
		l.taken--
		p.forget(l)
		p.serve()
	})
}

// serve gives what places there are to those whose turn it is.
func (p *Places) serve() {
	for more := true; more; {
		more = p.next(p.turn) || p.next(1-p.turn)
	}
}

// next gives a place to the line of a ring that had the fewest, among those that may have one. Among equals that line is then the last.
func (p *Places) next(ring int) bool {
	var l *line
	for _, one := range p.rings[ring] {
		if p.free(one) && (l == nil || one.had < l.had) {
			l = one
		}
	}
	if l == nil {
		return false
	}
	w := l.waiting[0]
	w.leave = p.take(l)
	l.had = min(l.had+1, mostHad)
	p.rings[ring] = append(without(p.rings[ring], l), l)
	p.turn = 1 - ring
	p.quit(w)
	close(w.turn)
	return true
}

func without[T comparable](all []T, one T) []T {
	return slices.DeleteFunc(all, func(other T) bool { return other == one })
}

// quit takes somebody out of all lines.
func (p *Places) quit(w *waiter) {
	for _, l := range w.lines {
		if l.waiting = without(l.waiting, w); len(l.waiting) == 0 {
			p.rings[l.ring()] = without(p.rings[l.ring()], l)
		}
		p.forget(l)
	}
}

// forget drops a line that nobody is in or was in lately.
func (p *Places) forget(l *line) {
	if l.taken == 0 && len(l.waiting) == 0 && l.had == 0 {
		delete(p.lines, l.who)
	}
}

func (p *Places) age() {
	if time.Since(p.aged) < halfLife {
		return
	}
	p.aged = time.Now()
	for _, l := range p.lines {
		l.had /= 2
		p.forget(l)
	}
}

func (l *line) ring() int {
	if l.who.known != "" {
		return 1
	}
	return 0
}
