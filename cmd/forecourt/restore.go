package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"filippo.io/age"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/internal/pay/payment"
	"forecourt/ops/archive"
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

func (restoreCommand) Help() string {
	return "After a restore nothing is charged until forecourt reconcile --import has brought in the gateway's ledger."
}

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
	}
	return env.restoreBuiltIn(ctx, c, o)
}

// restoreBuiltIn fills the data folder from a backup or from the archive. Both are opened as root, because the owner of the data folder
// may not be able to read the file or the key.
func (env environment) restoreBuiltIn(ctx context.Context, c config, o restoreCommand) error {
	from, used := o.File, ""
	var restore func(folder string) error
	if from != "" {
		f, err := os.Open(from)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		restore = func(folder string) error { return recoverBackup(ctx, c, folder, f) }
	} else {
		to, identity, err := o.archived()
		if err != nil {
			return err
		}
		from = c.ArchiveTo.String()
		restore = func(folder string) error {
			base, reached, err := archive.Recover(ctx, c.ArchiveTo, identity, o.System, folder, keptFiles(), to)
			used = fmt.Sprintf("Used %s. The last restored change was made at %s.\n", base, reached.UTC().Format(time.RFC3339))
			return err
		}
	}
	folder, err := c.inReach(env.stderr, restore)
	if err != nil {
		return fmt.Errorf("%s into %s: %w", from, folder, err)
	}
	if _, err := io.WriteString(env.stdout, used); err != nil {
		return err
	}
	c.Data, c.unarchived = folder, true
	return env.closePayments(ctx, c, nil)
}

// archived returns the time to which the archive is restored, zero for its end, and the key that opens it.
func (o restoreCommand) archived() (to time.Time, identity *age.X25519Identity, err error) {
	if o.To != "" {
		if to, err = time.Parse(time.RFC3339, o.To); err != nil {
			return to, nil, wrong("--to takes a time like 2025-01-31T09:30:00Z")
		}
	}
	identity, err = archive.ReadIdentity(o.Identity)
	return to, identity, err
}

// recoverBackup restores a backup. The restored database begins a timeline that the archive does not know: on the old one its files
// would have the names of others there.
func recoverBackup(ctx context.Context, c config, folder string, file io.ReadSeeker) error {
	var how embedded.Recovery
	if c.ArchiveTo != nil {
		how.Command, how.Environment = archive.Fetch(c.ArchiveTo, nil)
	}
	_, err := embedded.Recover(ctx, folder, keptFiles(), file, how)
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
