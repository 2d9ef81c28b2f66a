package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
)

// branch runs one of a command's own commands.
func (env environment) branch(ctx context.Context, name, about string, args []string, below []command) error {
	usage := func(w io.Writer) {
		fmt.Fprintf(w, "Usage: forecourt %s COMMAND\n\n%s\n\n", name, about)
		for _, c := range below {
			fmt.Fprintf(w, "  %-46s %s\n", c.usage, c.about)
		}
	}
	if len(args) == 0 {
		return env.wrong(name, "which command? See forecourt "+name+" --help")
	}
	if args[0] == "--help" || args[0] == "-h" || args[0] == "help" {
		usage(env.stdout)
		return flag.ErrHelp
	}
	for _, c := range below {
		if c.name == args[0] {
			return c.run(ctx, env, args[1:])
		}
	}
	return env.wrong(name, fmt.Sprintf("there is no command %q; see forecourt %s --help", args[0], name))
}

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
