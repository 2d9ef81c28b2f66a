package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/pay/payment"
	"forecourt/ops/embedded"
)

// restoreCommand puts a backup into a data folder without a database, or closes the payments of an external database that was
// restored with its own tools.
type restoreCommand struct {
	File     string `arg:"" optional:"" help:"A file that forecourt backup wrote; without one, ARCHIVE_TO is restored."`
	Identity string `placeholder:"FILE" help:"For the archive: the key that forecourt archive-key made."`
	To       string `placeholder:"TIME" help:"For the archive: leave out what was committed after this time."`
	System   string `placeholder:"ID" help:"For the archive: which of several databases in it."`
	Taken    string `placeholder:"TIME" help:"For an external database: the time of the backup that was restored with its own tools."`
	Served   bool   `help:"With --taken: a program has used the database since it was restored."`
}

// Help says what comes next.
func (restoreCommand) Help() string {
	return "After a restore nothing is charged until forecourt reconcile --import has brought in the gateway's ledger."
}

// Run restores.
func (o restoreCommand) Run(ctx context.Context, env environment) error {
	c, err := readConfig(env.getenv)
	if err != nil {
		return err
	}
	switch {
	case c.DatabaseURL != "":
		if o.File != "" || o.To != "" || o.Taken == "" {
			return wrong("with DATABASE_URL it takes --taken TIME and no file")
		}
		taken, err := parseMoment(o.Taken)
		if err != nil {
			return wrong("--taken: %s", err)
		}
		return env.closePayments(ctx, c, func(pool *pgxpool.Pool) error { return wordTaken(payment.CloseRestored(ctx, pool, taken, o.Served)) })
	case o.Taken != "" || o.Served:
		return wrong("--taken and --served are for an external database")
	case o.File == "" && c.ArchiveTo == nil:
		return wrong("which file? (without one, it takes the archive that ARCHIVE_TO names)")
	case o.File != "" && (o.To != "" || o.Identity != "" || o.System != ""):
		return wrong("--to, --identity and --system are for an archive")
	case o.File == "" && o.Identity == "":
		return wrong("--identity is required: the file that forecourt archive-key made")
	default:
		if o.File == "" {
			return env.restoreArchive(ctx, c, o)
		}
		c.unarchived = true
		if err := env.unpackBackup(ctx, &c, o.File); err != nil {
			return err
		}
		return env.closePayments(ctx, c, nil)
	}
}

// unpackBackup fills the data folder from a backup file.
func (env environment) unpackBackup(ctx context.Context, c *config, file string) error {
	f, err := os.Open(file) // as root, because the owner of the data folder may not be able to read it
	if err != nil {
		return err
	}
	err = env.putData(c, func(folder string) error {
		return recoverBackup(ctx, *c, folder, f)
	})
	err = errors.Join(err, f.Close())
	if err != nil {
		return fmt.Errorf("%s into %s: %w", file, or(c.Data, "data"), err)
	}
	return nil
}

// putData calls put with the data folder. For root, it calls put with rootData if PostgreSQL's user cannot reach the data folder, as serve
// does.
func (env environment) putData(c *config, put func(folder string) error) error {
	folder := or(c.Data, "data")
	err := becomeOwner(folder)
	if err == nil {
		err = put(folder)
	}
	if c.Data == "" && errors.Is(err, embedded.ErrUnreachable) {
		here, _ := filepath.Abs(folder)
		fmt.Fprintf(env.stderr, "forecourt: PostgreSQL's user cannot reach %s, so the data is kept in %s\n", here, rootData)
		folder = rootData
		if err = becomeOwner(folder); err == nil {
			err = put(folder)
		}
	}
	c.Data = folder
	return err
}

// wordTaken explains what is wrong with the time of a backup.
func wordTaken(err error) error {
	var newer payment.NewerError
	switch {
	case errors.Is(err, payment.ErrFuture):
		return errors.New("--taken lies in the future: it is the time when the backup began, in UTC or with its zone")
	case errors.As(err, &newer):
		return fmt.Errorf(
			"%w, so the backup was not taken before that: check --taken and its time zone; if the program "+
				"has served this database since, add --served",
			newer,
		)
	}
	return err
}

// closePayments opens the restored database, which proves that it works, and prints what comes next. An external database does not show
// that it was restored, so mark closes its payments.
func (env environment) closePayments(ctx context.Context, c config, mark func(*pgxpool.Pool) error) error {
	d, err := openDatabase(ctx, c, env.commandLog(), env.stderr)
	if err != nil {
		return err
	}
	if mark != nil {
		err = mark(d.pool)
	}
	if err == nil {
		_, err = d.openSecret(ctx, c)
	}
	if err := errors.Join(err, d.close(ctx)); err != nil {
		return err
	}
	_, err = io.WriteString(env.stdout, "Restored. Nothing is charged until forecourt reconcile --import "+
		"has brought in the gateway's ledger.\n"+
		"Whoever was erased since the backup is back: repeat those erasures (docs/operations.md, \"Erasures\").\n")
	return err
}

// admitRestore closes payments before anybody can use a built-in database that was restored from a backup.
func (d *database) admitRestore(ctx context.Context) error {
	if d.server == nil {
		return nil
	}
	taken, restored, err := embedded.Restored(d.folder)
	if err != nil || !restored {
		return err
	}
	// If the program is killed in between, the next start does this again, which is harmless.
	if err := db.New(d.pool).RestoreAdd(ctx, taken); err != nil {
		return err
	}
	return embedded.Acknowledge(d.folder)
}
