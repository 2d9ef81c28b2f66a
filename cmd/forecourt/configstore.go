package main

import (
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

func readDatabase(c *config, _ func(string) string) error {
	for name, value := range map[string]string{
		"DATABASE_URL": c.databaseURL, "DATABASE_LISTEN_URL": c.databaseListen, "DATABASE_REPLICA_URL": c.replicaURL,
	} {
		if value == "" {
			continue
		}
		if c.databaseURL == "" {
			return &settingError{name, "it goes with DATABASE_URL"}
		}
		// The value may hold a password, so neither it nor what the parser says of it is shown.
		if !strings.HasPrefix(value, "postgres://") && !strings.HasPrefix(value, "postgresql://") {
			return &settingError{name, "it has to start with postgres://"}
		}
		parsed, err := pgxpool.ParseConfig(value)
		if err != nil {
			return &settingError{name, "it is not postgres://USER:PASSWORD@HOST:PORT/NAME with settings that PostgreSQL has"}
		}
		switch parsed.ConnConfig.DefaultQueryExecMode {
		case pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe:
		default: // they guess types, or need a connection of their own
			return &settingError{name, "default_query_exec_mode has to be cache_statement or cache_describe"}
		}
	}
	return nil
}

func readSecret(c *config, _ func(string) string) error {
	switch {
	case c.secret == "" && c.databaseURL != "":
		return &settingError{"FORECOURT_SECRET", "it is required with DATABASE_URL"}
	case c.secret != "" && len(c.secret) < 32:
		return &settingError{"FORECOURT_SECRET", "it needs 32 bytes or more"}
	}
	return nil
}

func readDemo(c *config, getenv func(string) string) error {
	switch value := strings.ToLower(getenv("FORECOURT_DEMO")); value {
	case "":
		c.demo = c.databaseURL == ""
	case "on", "1", "true", "yes":
		c.demo = true
	case "off", "0", "false", "no":
		c.demo = false
	default:
		return &settingError{"FORECOURT_DEMO", fmt.Sprintf("%q is neither on nor off", value)}
	}
	return nil
}
