package main

import (
	"context"
)

// migrateCommand brings the database up to date.
type migrateCommand struct{}

// Run opens the database, which migrates it.
func (migrateCommand) Run(ctx context.Context, env environment) error {
	return withDatabase(ctx, env, func(config, *database) error { return nil })
}
