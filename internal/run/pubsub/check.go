package pubsub

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	checkChannel = "forecourt_check"
	// checkWithin is how long an event may take to arrive; it usually takes a few milliseconds.
	checkWithin = 5 * time.Second
)

// ErrNotListening means that events do not arrive.
var ErrNotListening = errors.New("events do not arrive")

// Check finds out whether a listener at listen receives what is announced through pool, and returns ErrNotListening if it does not. A
// pooler that lends its connections for one transaction accepts LISTEN but never delivers anything.
func Check(ctx context.Context, pool *pgxpool.Pool, listen *pgx.ConnConfig) error {
	conn, err := pgx.ConnectConfig(ctx, listen.Copy())
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, "LISTEN "+checkChannel); err != nil {
		return err
	}
	word := rand.Text()
	if _, err := pool.Exec(ctx, "SELECT pg_notify($1, $2)", checkChannel, word); err != nil {
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, checkWithin)
	defer cancel()
	for {
		event, err := conn.WaitForNotification(waiting)
		switch {
		case err != nil && ctx.Err() == nil && waiting.Err() != nil:
			return ErrNotListening
		case err != nil:
			return fmt.Errorf("listening: %w", err)
		case event.Payload == word:
			return nil
		}
	}
}
