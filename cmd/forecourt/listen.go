package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/run/pubsub"
)

// listenConfig returns the settings of the connection that listens for events. It refuses an address at which events sent over DATABASE_URL
// do not arrive, because pages of other processes would stop updating and no log would say so.
func (c config) listenConfig(ctx context.Context, pool *pgxpool.Pool) (*pgx.ConnConfig, error) {
	name, listen := "DATABASE_LISTEN_URL", pool.Config().ConnConfig
	problem := "it has to be set, since DATABASE_URL leads to a pooler, over which no events arrive"
	switch {
	case c.DatabaseListenURL != "":
		var err error
		if listen, err = pgx.ParseConfig(c.DatabaseListenURL); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		listen.ConnectTimeout = 5 * time.Second
		listen.Tracer = pool.Config().ConnConfig.Tracer
		problem = "events sent over DATABASE_URL do not arrive there: it has to be the same database, without a pooler"
	case !db.Pooled(pool):
		return listen, nil
	}
	switch err := pubsub.Check(ctx, pool, listen); {
	case errors.Is(err, pubsub.ErrNotListening):
		return nil, &settingError{name, problem}
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return listen, nil
}

// warnOfPooler logs that the connection to the database leads to a pooler, if it does.
func warnOfPooler(ctx context.Context, pool *pgxpool.Pool, log *slog.Logger) error {
	problems, err := db.PoolerProblems(ctx, pool)
	if err != nil {
		return err
	}
	if db.Pooled(pool) {
		log.InfoContext(ctx, "DATABASE_URL leads to a pooler")
	}
	for _, problem := range problems {
		log.WarnContext(ctx, "DATABASE_URL: "+problem)
	}
	return nil
}
