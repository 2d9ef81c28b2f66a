package main

import (
	"context"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/ops/embedded"
)

// world is a site whose program reaches its database and its gateway over wires that break.
type world struct {
	*site
	database *embedded.Server
	network  *network
	lateAt   atomic.Int64 // when chargedLate was last used, in seconds since 1970
}

// newWorld starts everything but the program.
func newWorld(ctx context.Context, dir, binary string, f *front) (*world, error) {
	s, err := newSite(ctx, dir, binary, lateCharge, f)
	if err != nil {
		return nil, err
	}
	w := &world{site: s}
	if err := w.open(ctx); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *world) open(ctx context.Context) error {
	var err error
	if w.database, err = embedded.Start(ctx, embedded.Options{Dir: filepath.Join(w.dir, "database")}); err != nil {
		return err
	}
	config, err := pgx.ParseConfig(w.database.DSN(embedded.Database))
	if err != nil {
		return err
	}
	if w.network, err = connect(ctx, config, w.gateway.front.address); err != nil {
		return err
	}
	address := url.URL{
		Scheme: "postgres", User: url.User(config.User), Host: w.network.database.Listen, Path: config.Database, RawQuery: "sslmode=disable",
	}
	w.settings = []string{
		"FORECOURT_SECRET=" + strings.Repeat("chaos", 8), "DATABASE_URL=" + address.String(),
		"GATEWAY_URL=http://" + w.network.gateway.Listen,
	}
	return nil
}

func (w *world) close() {
	w.site.close()
	if w.network != nil {
		w.network.close()
	}
	if w.database != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = w.database.Stop(ctx)
	}
}

// connect connects to the database directly.
func (w *world) connect(ctx context.Context) (*pgx.Conn, error) {
	return pgx.Connect(ctx, w.database.DSN(embedded.Database))
}

// query reads one value from the database.
func query[T any](ctx context.Context, w *world, text string, args ...any) (value T, err error) {
	conn, err := w.connect(ctx)
	if err != nil {
		return value, err
	}
	defer func() { _ = conn.Close(ctx) }()
	err = conn.QueryRow(ctx, text, args...).Scan(&value)
	return value, err
}
