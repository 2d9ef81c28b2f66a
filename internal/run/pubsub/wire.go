package pubsub

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/internal/kit/secret"
)

const (
	// channel is the NOTIFY channel of all processes.
	channel = "forecourt_live"
	// maxPayload is below PostgreSQL's limit of 8000 bytes.
	maxPayload = 7900
	// maxPending is how many topics wait while the database is away; more are replaced by everything.
	maxPending = 10_000
	// checkEvery is how often a silent connection is checked.
	checkEvery = 30 * time.Second
	// flushTimeout limits one announcement to the others.
	flushTimeout = 5 * time.Second
	minPause     = 100 * time.Millisecond // the shortest wait before listening again
	maxPause     = 5 * time.Second        // the longest one
)

// listen receives what the other processes announce, until ctx ends.
func (h *Hub) listen(ctx context.Context) {
	pause := minPause
	for ctx.Err() == nil {
		stood, err := h.listenOnce(ctx)
		if ctx.Err() != nil {
			return
		}
		if stood {
			pause = minPause
		}
		h.log.WarnContext(ctx, "listening for events failed, retrying", "error", err)
		wait(ctx, jitter(pause))
		pause = min(2*pause, maxPause)
	}
}

// listenOnce listens on one connection until it breaks, and reports whether it was ever established.
func (h *Hub) listenOnce(ctx context.Context) (stood bool, err error) {
	conn, err := pgx.ConnectConfig(ctx, h.direct)
	if err != nil {
		return false, err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(closing)
	}()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock_shared($1)", secret.ServingLock); err != nil { // until the connection ends
		return false, err
	}
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return false, err
	}
	// Catch up with what was announced while we were not listening.
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

// receive wakes the subscribers to the topics of a payload. This process woke its own when it announced them.
func (h *Hub) receive(payload string) {
	from, topics, _ := strings.Cut(payload, " ")
	if from == h.self {
		return
	}
	for topic := range strings.FieldsSeq(topics) {
		h.wake(topic)
	}
}

// publish announces pending topics until ctx ends. Topics that arrive while a statement runs share the next one.
func (h *Hub) publish(ctx context.Context) {
	pause := minPause
	for {
		select {
		case <-h.kick:
		case <-ctx.Done():
			if err := h.Flush(context.WithoutCancel(ctx)); err != nil {
				h.log.WarnContext(ctx, "publishing events failed at shutdown", "error", err)
			}
			return
		}
		for ctx.Err() == nil {
			err := h.Flush(ctx)
			if err == nil || ctx.Err() != nil { // a stop flushes once more, above
				pause = minPause
				break
			}
			h.log.WarnContext(ctx, "publishing events failed, retrying", "error", err)
			wait(ctx, jitter(pause))
			pause = min(2*pause, maxPause)
		}
	}
}

// Flush sends pending announcements to the other processes. What it could not send stays pending. Run does this by itself; a
// command that ends must call it.
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

// payloads packs topics into as few payloads as possible, each of which starts with the sender.
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

// wait waits for a duration or until ctx ends.
func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// jitter keeps processes that lost the same database from reconnecting at the same moment.
func jitter(d time.Duration) time.Duration {
	return d/2 + rand.N(d) //nolint:gosec // spreads load, guards nothing
}
