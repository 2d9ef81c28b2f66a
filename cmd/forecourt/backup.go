package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/db/embedded"
	"forecourt/internal/payment"
)

// keptFiles are what a backup holds beside the database: without the secret, what was encrypted with it is lost. The sandbox's
// ledger is not among them: it is the gateway's memory, and a gateway does not forget what it charged.
func keptFiles() []string { return []string{"secret"} }

// errOutside sends operators of a database of their own to their own tools.
var errOutside = errors.New("the database is outside (DATABASE_URL): back it up with pg_dump or its own tools, see docs/operations.md")

// backup writes a copy of the database inside to a file, while it is worked with.
func backup(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("backup", flag.ContinueOnError)
	const about = "Writes a copy of the database inside and of the secret to a file: forecourt backup FILE\nThe program may go on serving. Keep the file as you keep a key."
	words, rest := leading(args, 1)
	if err := env.parse(flags, rest, about); err != nil {
		return err
	}
	file := at(words, 0)
	if file == "" {
		return env.wrong("backup", "which file?")
	}
	c, err := readConfig(env.getenv)
	switch {
	case err != nil:
		return err
	case c.DatabaseURL != "":
		return errOutside
	}
	c.beside = true
	d := &database{folder: or(c.Data, "data")}
	address, err := d.startEmbedded(ctx, c, slog.New(slog.NewJSONHandler(env.stderr, &slog.HandlerOptions{Level: slog.LevelError})), env.stderr)
	if err != nil {
		return err
	}
	taken, size, err := writeBackup(ctx, address, d.folder, file)
	if err := errors.Join(err, d.close(ctx)); err != nil {
		return err
	}
	_, err = fmt.Fprintf(env.stdout, "%s: %.1f MB, of %s\n", file, float64(size)/1e6, taken.UTC().Format(time.RFC3339))
	return err
}

// writeBackup makes the file whole or not at all, and reads it back before it says so.
func writeBackup(ctx context.Context, address, folder, file string) (taken time.Time, size int64, err error) {
	half, err := os.OpenFile(file+".part", os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600) //nolint:gosec // operators name their files
	if err != nil {
		return taken, 0, err
	}
	taken, err = embedded.Backup(ctx, address, folder, keptFiles(), half)
	if err == nil {
		err = half.Sync()
	}
	if err == nil {
		_, err = half.Seek(0, io.SeekStart)
	}
	if err == nil {
		_, err = embedded.Verify(keptFiles(), half)
	}
	if info, statErr := half.Stat(); statErr == nil {
		size = info.Size()
	}
	if err = errors.Join(err, half.Close()); err != nil {
		return taken, 0, errors.Join(err, os.Remove(half.Name())) //nolint:gosec // as above
	}
	return taken, size, os.Rename(half.Name(), file) //nolint:gosec // as above
}

// restore puts a backup into a data folder without a database, or closes the payments of a database outside that was restored
// with its own tools.
func restore(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("restore", flag.ContinueOnError)
	outside := flags.String("taken", "", "for a database outside: the `TIME` of the backup that its own tools put back")
	served := flags.Bool("served", false, "with --taken: a program has worked on the database since it was put back")
	const about = "Puts a backup into a data folder that has no database: forecourt restore FILE\nAfter it nothing is charged until forecourt reconcile --import has brought in the gateway's ledger."
	words, rest := leading(args, 1)
	if err := env.parse(flags, rest, about); err != nil {
		return err
	}
	c, err := readConfig(env.getenv)
	if err != nil {
		return err
	}
	c.demo = false
	switch file := at(words, 0); {
	case c.DatabaseURL != "":
		taken, timeErr := parseMoment(*outside)
		if file != "" || timeErr != nil {
			return env.wrong("restore", "with DATABASE_URL it takes --taken TIME and no file")
		}
		return env.closePayments(ctx, c, func(pool *pgxpool.Pool) error { return wordTaken(payment.CloseRestored(ctx, pool, taken, *served)) })
	case file == "" || *outside != "" || *served:
		return env.wrong("restore", "which file? (--taken is for a database outside)")
	default:
		if err := env.unpackBackup(&c, file); err != nil {
			return err
		}
		return env.closePayments(ctx, c, nil)
	}
}

// unpackBackup fills the data folder. As root it may be another one than asked for, as when serving.
func (env environment) unpackBackup(c *config, file string) error {
	folder := or(c.Data, "data")
	put := func() error {
		f, err := os.Open(file) //nolint:gosec // operators name their files
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

// wordTaken says what is wrong with the time of a backup.
func wordTaken(err error) error {
	var newer payment.NewerError
	switch {
	case errors.Is(err, payment.ErrFuture):
		return errors.New("--taken lies in the future: it is the time when the backup began, in UTC or with its zone")
	case errors.As(err, &newer):
		return fmt.Errorf("%w, so the backup was not taken before that: check --taken and its time zone; if the program has served this database since, add --served", newer)
	}
	return err
}

// closePayments opens the restored database, which shows that it can be, and says what comes next. A database outside, which
// does not tell where it came from, is closed by mark.
func (env environment) closePayments(ctx context.Context, c config, mark func(*pgxpool.Pool) error) error {
	d, err := openDatabase(ctx, c, slog.New(slog.NewJSONHandler(env.stderr, &slog.HandlerOptions{Level: slog.LevelError})), env.stderr)
	if err != nil {
		return err
	}
	if mark != nil {
		err = mark(d.pool)
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
