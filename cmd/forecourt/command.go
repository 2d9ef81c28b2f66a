package main

import (
	"context"
	"errors"
	"log/slog"

	"forecourt/app"
)

// commandLog returns the logger for commands, which only logs errors.
func (env environment) commandLog() *slog.Logger {
	return slog.New(slog.NewJSONHandler(env.stderr, &slog.HandlerOptions{Level: slog.LevelError}))
}

// withDatabase opens the database, which migrates it, for the work of a command, perhaps beside a serving program, and closes it
// again.
func withDatabase(ctx context.Context, env environment, work func(config, *database) error) error {
	c, err := readConfig(env.getenv)
	if err != nil {
		return err
	}
	c.existing = true
	return c.withDatabase(ctx, env, work)
}

func (c config) withDatabase(ctx context.Context, env environment, work func(config, *database) error) error {
	c.beside = true
	d, err := openDatabase(ctx, c, env.commandLog(), env.stderr)
	if err != nil {
		return err
	}
	if c.Secret, err = d.openSecret(ctx, c); err == nil {
		err = work(c, d)
	}
	return errors.Join(err, d.close(ctx))
}

// withRules opens the database and the rules for a command, and closes them again. The serving program sends the mails that the command
// queues.
func withRules(ctx context.Context, env environment, work func(config, *app.Rules) error) error {
	return withDatabase(ctx, env, func(c config, d *database) error {
		rules, err := app.NewRules(c.commandSite(d, nil))
		if err != nil {
			return err
		}
		return wordDatabase(work(c, rules))
	})
}
