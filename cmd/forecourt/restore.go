package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"forecourt/db"
	"forecourt/db/embedded"
)

// restoreCommand puts a backup into a data folder without a database, or closes the payments of a database outside that was
// restored with its own tools.
type restoreCommand struct {
	File  string `arg:"" optional:"" help:"A file that forecourt backup wrote."`
	Taken string `placeholder:"TIME" help:"For a database outside: the time of the backup that its own tools put back."`
}

// Help says what comes next.
func (restoreCommand) Help() string {
	return "After it nothing is charged until forecourt reconcile --import has brought in the gateway's ledger."
}

// Run restores.
func (o restoreCommand) Run(ctx context.Context, env environment) error {
	c, err := readConfig(env.getenv)
	if err != nil {
		return err
	}
	c.demo = false
	switch {
	case c.DatabaseURL != "":
		taken, timeErr := parseMoment(o.Taken)
		if o.File != "" || timeErr != nil {
			return env.wrong("with DATABASE_URL it takes --taken TIME and no file")
		}
		return env.closePayments(ctx, c, &taken)
	case o.File == "" || o.Taken != "":
		return env.wrong("which file? (--taken is for a database outside)")
	default:
		if err := env.unpackBackup(&c, o.File); err != nil {
			return err
		}
		return env.closePayments(ctx, c, nil)
	}
}

// unpackBackup fills the data folder. As root it may be another one than asked for, as when serving.
func (env environment) unpackBackup(c *config, file string) error {
	folder := or(c.Data, "data")
	put := func() error {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		_, err = embedded.Restore(folder, keptFiles(), f)
		return errors.Join(err, f.Close())
	}
	err := put()
	if c.Data == "" && errors.Is(err, embedded.ErrUnreachable) {
		here, _ := filepath.Abs(folder)
		fmt.Fprintf(env.stderr, "forecourt: PostgreSQL's user cannot reach %s, so the data is kept in %s\n", here, rootData)
		folder = rootData
		err = put()
	}
	if err != nil {
		return fmt.Errorf("%s into %s: %w", file, folder, err)
	}
	c.Data = folder
	return nil
}

// closePayments opens the restored database, which shows that it can be, and says what comes next. taken is of a database
// outside.
func (env environment) closePayments(ctx context.Context, c config, taken *time.Time) error {
	d, err := openDatabase(ctx, c, slog.New(slog.NewJSONHandler(env.stderr, &slog.HandlerOptions{Level: slog.LevelError})), env.stderr)
	if err != nil {
		return err
	}
	if taken != nil {
		err = db.New(d.pool).RestoreAdd(ctx, *taken)
	}
	if err := errors.Join(err, d.close(ctx)); err != nil {
		return err
	}
	_, err = io.WriteString(env.stdout, "Restored. Nothing is charged until forecourt reconcile --import has brought in the gateway's ledger.\n")
	return err
}

// admitRestore closes payments where the database inside came out of a backup, before anybody can use it.
func (d *database) admitRestore(ctx context.Context) error {
	if d.server == nil {
		return nil
	}
	taken, restored, err := embedded.Restored(d.folder)
	if err != nil || !restored {
		return err
	}
	// Twice, where the program is killed in between, does no harm.
	if err := db.New(d.pool).RestoreAdd(ctx, taken); err != nil {
		return err
	}
	return embedded.Acknowledge(d.folder)
}
