package live

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// channel is the NOTIFY channel of all processes.
	channel = "forecourt_live"
	// maxPayload is below PostgreSQL's limit of 8000 bytes.
	maxPayload = 7900
	// maxPending is how many topics wait for a database that is away; more become everything.
	maxPending = 10_000
	// checkEvery is how often a silent connection is asked whether it still stands.
	checkEvery = 30 * time.Second
	// flushTimeout is of telling the others once.
	flushTimeout = 5 * time.Second
	minPause     = 100 * time.Millisecond
	maxPause     = 5 * time.Second
)

// hear listens to the other processes until ctx ends.
func (h *Hub) hear(ctx context.Context) {
	pause := minPause
	for ctx.Err() == nil {
		stood, err := h.hearOnce(ctx)
		if ctx.Err() != nil {
			return
		}
		if stood {
			pause = minPause
		}
		h.log.Warn("listening for events, trying again", "error", err)
		wait(ctx, jitter(pause))
		pause = min(2*pause, maxPause)
	}
}

// hearOnce listens on one connection until that breaks, and reports whether it ever stood.
func (h *Hub) hearOnce(ctx context.Context) (stood bool, err error) {
	conn, err := pgx.ConnectConfig(ctx, h.listen)
	if err != nil {
		return false, err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(closing)
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return false, err
	}
	// What was told while nobody listened here.
	h.wake(everything)
	for {
		waiting, cancel := context.WithTimeout(ctx, checkEvery)
		event, err := conn.WaitForNotification(waiting)
		quiet := errors.Is(waiting.Err(), context.DeadlineExceeded)
		cancel()
		switch {
		case err == nil:
			h.receive(event.Payload)
		case quiet && ctx.Err() == nil && !conn.IsClosed():
			if err := check(ctx, conn); err != nil {
				return true, err
			}
		default:
			return true, err
		}
	}
}

func check(ctx context.Context, conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, flushTimeout)
	defer cancel()
	return conn.Ping(ctx)
}

// receive wakes whoever looks at the topics of a payload. This process woke its own when it told of them.
func (h *Hub) receive(payload string) {
	from, topics, _ := strings.Cut(payload, " ")
	if from == h.self {
		return
	}
	for topic := range strings.FieldsSeq(topics) {
		h.wake(topic)
	}
}

// tell passes on what is announced until ctx ends. Topics that come while one statement is under way share the next.
func (h *Hub) tell(ctx context.Context) {
	pause := minPause
	for {
		select {
		case <-h.kick:
		case <-ctx.Done():
			if err := h.Flush(context.WithoutCancel(ctx)); err != nil {
				h.log.Warn("telling of events at the end", "error", err)
			}
			return
		}
		for ctx.Err() == nil {
			err := h.Flush(ctx)
			if err == nil {
				pause = minPause
				break
			}
			h.log.Warn("telling of events, trying again", "error", err)
			wait(ctx, jitter(pause))
			pause = min(2*pause, maxPause)
		}
	}
}

// Flush tells the other processes what was announced so far. What it could not tell stays pending. Run does this by itself;
// a command that ends needs it.
func (h *Hub) Flush(ctx context.Context) error {
	h.mu.Lock()
	topics := h.pending
	h.pending = map[string]struct{}{}
	h.mu.Unlock()
	if len(topics) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, flushTimeout)
	defer cancel()
	_, err := h.pool.Exec(ctx, "SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload", channel, h.payloads(topics))
	if err != nil {
		h.mu.Lock()
		defer h.mu.Unlock()
		for topic := range topics {
			h.pending[topic] = struct{}{}
		}
	}
	return err
}

// payloads packs topics into as few payloads as they fit in, each of which starts with who tells.
func (h *Hub) payloads(topics map[string]struct{}) []string {
	var all []string
	var one strings.Builder
	for topic := range topics {
		if one.Len() > 0 && one.Len()+1+len(topic) > maxPayload {
			all = append(all, one.String())
			one.Reset()
		}
		if one.Len() == 0 {
			one.WriteString(h.self)
		}
		one.WriteString(" " + topic)
	}
	return append(all, one.String())
}

// wait waits for a time or for the end of ctx.
func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// jitter keeps processes that lost the same database from coming back as one.
func jitter(d time.Duration) time.Duration {
	return d/2 + rand.N(d) //nolint:gosec // spreads load, guards nothing
}
