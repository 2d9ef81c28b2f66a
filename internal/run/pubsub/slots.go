package pubsub

import (
	"net/netip"
	"sync"

	"forecourt/internal/run/throttle"
)

// Slots counts what is open at once, such as streams or uploads, in total and by address or business, so that nobody can take up the whole
// server.
type Slots struct {
	all, each int
	mu        sync.Mutex
	open      int
	by        map[string]int
}

// NewSlots returns Slots, at most all of them in total and each of them per key. The key of an IPv6 address is its network.
func NewSlots(all, each int) *Slots {
	return &Slots{all: all, each: each, by: map[string]int{}}
}

// Take takes a slot for an address; ok is false if there is none. release gives it back; calling it again does nothing.
func (s *Slots) Take(from netip.Addr) (release func(), ok bool) {
	return s.TakeFor(throttle.Network(from).String())
}

// TakeFor is like Take for a key that is not an address, such as a business's code.
func (s *Slots) TakeFor(key string) (release func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open >= s.all || s.by[key] >= s.each {
		return nil, false
	}
	s.open++
	s.by[key]++
	return sync.OnceFunc(func() { s.release(key) }), true
}

func (s *Slots) release(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	if s.by[key]--; s.by[key] == 0 {
		delete(s.by, key)
	}
}

// Open returns how many slots are taken now.
func (s *Slots) Open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open
}
