package main

import (
	"context"
	"fmt"
	"time"

	"forecourt/db"
)

type migrateCommand struct {
	For string `placeholder:"ROLE" help:"${migrate_for}"`
}

func (migrateCommand) Help() string {
	return "For a database with data, it prints each migration with its duration. With --for, run this " +
		"with the address of the schema's owner as DATABASE_URL, and forecourt serve with that of ROLE."
}

// Run opens the database, which migrates it, and prints the steps.
func (o migrateCommand) Run(ctx context.Context, env environment) error {
	c, err := readConfig(env.getenv)
	switch {
	case err != nil:
		return err
	case o.For != "" && c.DatabaseURL == "":
		return wrong("--for needs DATABASE_URL: the built-in database has its own role")
	}
	return withDatabase(ctx, env, func(_ config, d *database) error {
		for _, step := range d.steps {
			fmt.Fprintf(env.stdout, "%s  %s\n", step.File, step.Took.Round(time.Millisecond))
		}
		if o.For != "" {
			if err := db.Admit(ctx, d.pool, o.For); err != nil {
				return err
			}
		}
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
