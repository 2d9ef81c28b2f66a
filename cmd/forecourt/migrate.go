package main

import (
	"context"

	"forecourt/db"
)

// migrateCommand brings the database up to date.
type migrateCommand struct {
	For string `placeholder:"ROLE" help:"With DATABASE_URL: let this role, which exists, read and write rows, so that forecourt serve can run as it."`
}

// Help says what --for is for.
func (migrateCommand) Help() string {
	return "With --for, DATABASE_URL is the address of the schema's owner here and that of ROLE for forecourt serve."
}

// Run opens the database, which migrates it.
func (o migrateCommand) Run(ctx context.Context, env environment) error {
	return withDatabase(ctx, env, func(c config, d *database) error {
		switch {
		case o.For == "":
			return nil
		case c.DatabaseURL == "":
			return env.wrong("--for needs DATABASE_URL: the built-in database has its own role")
		}
		return db.Admit(ctx, d.pool, o.For)
	})
}
