package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"time"

	"forecourt/db/embedded"
)

const restarts = 5

// starts measures the time from the start of the program until /readyz answers that it is ready: in an empty folder, then again in the same
// folder.
func (b *bench) starts(ctx context.Context) error {
	b.section("Start, with the built-in database")
	first, err := b.boot(ctx, "/readyz", "data")
	if err != nil {
		return err
	}
	b.atMost("first start to ready, empty folder", first, 3000, milliseconds)
	again, err := b.boots(ctx, "/readyz", "data")
	if err != nil {
		return err
	}
	b.atMost("second start to ready", again, 300, milliseconds)
	return nil
}

// startsOutside measures the time until the first menu page is answered, with an external database that is running and up to date.
func (b *bench) startsOutside(ctx context.Context) (err error) {
	server, err := embedded.Start(ctx, embedded.Options{Dir: filepath.Join(b.folder, "outside"), TCP: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop(context.WithoutCancel(ctx))) }()
	env := []string{
		"DATABASE_URL=" + server.TCPDSN(embedded.Database), "FORECOURT_SECRET=the bench needs no secret, but 32 bytes", "FORECOURT_DEMO=on",
	}
	if _, err := b.boot(ctx, menuPath, "elsewhere", env...); err != nil {
		return err
	}
	first, err := b.boots(ctx, menuPath, "elsewhere", env...)
	if err != nil {
		return err
	}
	b.section("Start, with an external database")
	b.atMost("start to the first menu page answered", first, 100, milliseconds)
	return nil
}

// boots returns the median of several starts.
func (b *bench) boots(ctx context.Context, path, data string, env ...string) (float64, error) {
	var taken []float64
	for range restarts {
		one, err := b.boot(ctx, path, data, env...)
		if err != nil {
			return 0, err
		}
		taken = append(taken, one)
	}
	return median(taken), nil
}

// boot starts the program, waits until it answers path with 200, stops it, and returns milliseconds.
func (b *bench) boot(ctx context.Context, path, data string, env ...string) (float64, error) {
	p, err := b.serve(ctx, data, env...)
	if err != nil {
		return 0, err
	}
	_, err = record(ctx, p.url+path)
	taken := time.Since(p.started)
	http.DefaultClient.CloseIdleConnections() // an open connection would hold up the stop
	if err := errors.Join(err, p.stop()); err != nil {
		return 0, fmt.Errorf("start: %w", err)
	}
	return ms(taken), nil
}
