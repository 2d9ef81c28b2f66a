package main

import (
	"context"
	"errors"
	"log/slog"
)

// withDatabase opens the database, which migrates it, for the work of a command and closes it again.
func withDatabase(ctx context.Context, env environment, work func(config, *database) error) error {
	c, err := readConfig(env.getenv)
	if err != nil {
		return err
	}
	c.demo, c.beside = false, true
	log := slog.New(slog.NewJSONHandler(env.stderr, &slog.HandlerOptions{Level: slog.LevelError}))
	d, err := openDatabase(ctx, c, log, env.stderr)
	if err != nil {
		return err
	}
	return errors.Join(work(c, d), d.close(ctx))
}
