package main

import (
	"context"
	"fmt"

	"forecourt/db"
)

// migrateCommand brings the database up to date.
type migrateCommand struct{}

// Run opens the database, which migrates it, and says what that did.
func (migrateCommand) Run(ctx context.Context, env environment) error {
	return withDatabase(ctx, env, func(_ config, d *database) error {
		version, err := db.Version(ctx, d.pool)
		switch {
		case err != nil:
		case version == d.opened:
			_, err = fmt.Fprintf(env.stdout, "The database is up to date: version %d.\n", version)
		default:
			_, err = fmt.Fprintf(env.stdout, "Migrated from version %d to %d.\n", d.opened, version)
		}
		return err
	})
}
