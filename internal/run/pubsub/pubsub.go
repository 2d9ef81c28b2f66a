// Package pubsub tells subscribers that something has changed: within the process at once, and over one connection per process to all
// others on the same database. An event only means "look again".
package pubsub

import (
	"context"
	"crypto/rand"
	"log/slog"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"
)

// Kitchen returns the topic to announce when the orders of a business change.
func Kitchen(shop string) string { return "kitchen/" + shop }

// everything is the topic that wakes all subscribers.
const everything = "*"

// Hub passes events on. Its methods may be called from anywhere.
type Hub struct {
	pool   *pgxpool.Pool
	direct *pgx.ConnConfig
	log    *slog.Logger
	self   string // names this process in what it sends to others
	close  sync.Once
	closed chan struct{}
	kick   chan struct{} // something is pending

	mu      sync.Mutex
	topics  map[string][]chan struct{}
	pending map[string]struct{} // topics not yet sent to the other processes
}

// New returns the hub of the database behind pool. It listens on its own connection, made by listen, which must lead to PostgreSQL
// itself, whereas pool may be a pooler.
func New(pool *pgxpool.Pool, listen *pgx.ConnConfig, log *slog.Logger) *Hub {
	return &Hub{
		pool: pool, direct: listen, log: log, self: rand.Text()[:12],
		closed: make(chan struct{}), kick: make(chan struct{}, 1),
		topics: map[string][]chan struct{}{}, pending: map[string]struct{}{},
	}
}

// Run listens and announces until ctx ends, even if the database goes away meanwhile. Before it returns it announces what is left.
func (h *Hub) Run(ctx context.Context) {
	var group errgroup.Group
	group.Go(func() error { h.listen(ctx); return nil })
	group.Go(func() error { h.publish(ctx); return nil })
	_ = group.Wait() // neither returns an error
}

// Announce reports a change; call it after the commit. A topic is an id: a word without spaces of at most 100 bytes. It never
// blocks.
func (h *Hub) Announce(topic string) {
	h.wake(topic)
	h.mu.Lock()
	h.pending[topic] = struct{}{}
	if len(h.pending) > maxPending {
		h.pending = map[string]struct{}{everything: {}}
	}
	h.mu.Unlock()
	select {
	case h.kick <- struct{}{}:
	default:
	}
}

// Subscribe returns a channel that fires when a topic may have changed, once for any number of changes since it was last read.
// Subscribe before looking, or a change in between is missed. cancel ends the subscription.
func (h *Hub) Subscribe(topic string) (changed <-chan struct{}, cancel func()) {
	channel := make(chan struct{}, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.topics[topic] = append(h.topics[topic], channel)
	return channel, func() { h.unsubscribe(topic, channel) }
}

func (h *Hub) unsubscribe(topic string, channel chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	rest := slices.DeleteFunc(h.topics[topic], func(other chan struct{}) bool { return other == channel })
	if len(rest) == 0 {
		delete(h.topics, topic)
		return
	}
	h.topics[topic] = rest
}

// wake fires the channels of a topic. A channel that already fired and was not read stays as it is, so wake never blocks.
func (h *Hub) wake(topic string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if topic != everything {
		fire(h.topics[topic])
		return
	}
	for _, channels := range h.topics {
		fire(channels)
	}
}

func fire(channels []chan struct{}) {
	for _, channel := range channels {
		select {
		case channel <- struct{}{}:
		default:
		}
	}
}

// Close tells all subscribers to stop; Run keeps telling the other processes.
func (h *Hub) Close() { h.close.Do(func() { close(h.closed) }) }

// Closed is closed by Close.
func (h *Hub) Closed() <-chan struct{} { return h.closed }
