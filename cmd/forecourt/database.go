package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
	"forecourt/ops/embedded"
)

// maxConns limits how many requests use the database at once. More would only wait inside the database.
const maxConns = 16

// ownerConns is the number of connections that a migration needs.
const ownerConns = 2

// rootData is the data folder if PostgreSQL's user cannot reach the working folder, for example below /root.
const rootData = "/var/lib/forecourt"

// database is an open, migrated database and the folder beside it.
type database struct {
	pool   *pgxpool.Pool
	folder string // folder of generated secrets and of the sandbox's ledger
	server *embedded.Server
	log    *slog.Logger
	opened int64         // the schema's version before it was migrated
	steps  []db.Migrated // the migrations that ran on existing data
}

// newDatabase drops root's privileges to the user that owns the data folder, before anything in the folder is touched.
func newDatabase(c config, log *slog.Logger) (*database, error) {
	d, before := &database{folder: cmp.Or(c.Data, "data"), log: log}, os.Geteuid()
	err := embedded.DropPrivileges(d.folder)
	if now := os.Geteuid(); now != before {
		log.Info("root's privileges dropped to the owner of the data folder", "uid", now)
	}
	return d, err
}

// openDatabase starts the built-in database or connects to an external one, and brings it up to date. It prints notes to stderr.
func openDatabase(ctx context.Context, c config, log *slog.Logger, stderr io.Writer) (*database, error) {
	d, err := newDatabase(c, log)
	if err != nil {
		return nil, err
	}
	address := c.DatabaseURL
	if address == "" {
		owner, err := d.startEmbedded(ctx, c, stderr)
		if err != nil {
			return nil, err
		}
		if address, err = d.prepareEmbedded(ctx, owner); err != nil {
			return nil, errors.Join(err, d.close(ctx))
		}
	}
	if err := d.open(ctx, address, c); err != nil {
		return nil, errors.Join(err, d.close(ctx))
	}
	return d, nil
}

// prepareEmbedded migrates the built-in database as its owner, PostgreSQL's superuser, and returns the address for everything else, whose
// role can only read and write rows. Data of earlier releases gets that role here, too.
func (d *database) prepareEmbedded(ctx context.Context, owner string) (string, error) {
	pool, err := db.Open(ctx, owner, ownerConns)
	if err != nil {
		return "", err
	}
	defer pool.Close()
	// An earlier release may keep using an external database while a newer one is rolled out, but a data folder belongs to one program.
	if err := db.Newer(ctx, pool); err != nil {
		return "", fmt.Errorf("FORECOURT_DATA: %s: %w", d.folder, err)
	}
	if err := d.migrate(ctx, pool); err != nil {
		return "", err
	}
	if err := db.MakeRole(ctx, pool, embedded.AppRole); err != nil {
		return "", err
	}
	if err := db.Admit(ctx, pool, embedded.AppRole); err != nil {
		return "", err
	}
	return embedded.ForApp(owner)
}

// startEmbedded starts the built-in database, or finds that of a serving program, and returns its owner's address.
func (d *database) startEmbedded(ctx context.Context, c config, stderr io.Writer) (string, error) {
	var err error
	o := embedded.Options{Logger: d.log, Existing: c.existing}
	c.archiveLog(&o)
	d.folder, err = c.inReach(stderr, func(folder string) (err error) {
		o.Dir = folder
		d.server, err = embedded.Start(ctx, o)
		return err
	})
	if c.beside && errors.Is(err, embedded.ErrLocked) {
		return embedded.Attach(d.folder, embedded.Database)
	}
	switch {
	case errors.Is(err, embedded.ErrNone):
		return "", fmt.Errorf("%w: set FORECOURT_DATA to the folder that forecourt serve uses", err)
	case err != nil:
		return "", err
	}
	return d.server.DSN(embedded.Database), nil
}

// inReach works as the owner of the data folder, and returns the folder. For root, it works with rootData if PostgreSQL's user cannot reach
// the working folder.
func (c config) inReach(stderr io.Writer, work func(folder string) error) (folder string, err error) {
	folder = cmp.Or(c.Data, "data")
	if err = embedded.DropPrivileges(folder); err == nil {
		err = work(folder)
	}
	if c.Data == "" && errors.Is(err, embedded.ErrUnreachable) {
		here, _ := filepath.Abs(folder)
		fmt.Fprintf(stderr, "forecourt: PostgreSQL's user cannot reach %s, so the data is kept in %s\n", here, rootData)
		folder = rootData
		if err = embedded.DropPrivileges(folder); err == nil {
			err = work(folder)
		}
	}
	return folder, err
}

func (d *database) open(ctx context.Context, address string, c config) error {
	var queries pgx.QueryTracer
	if c.tracer != nil {
		queries = c.tracer
	}
	err := d.await(ctx, c, func() (err error) {
		d.pool, err = db.OpenTraced(ctx, address, maxConns, queries)
		return err
	})
	if err != nil {
		return err
	}
	if !c.beside {
		if err := warnOfPooler(ctx, d.pool, d.log); err != nil {
			return err
		}
	}
	if c.DatabaseURL != "" {
		if err := d.migrate(ctx, d.pool); err != nil {
			return err
		}
	}
	return d.admitRestore(ctx)
}

// migrate brings the schema up to date and notes its version before. It reports no steps for a new database.
func (d *database) migrate(ctx context.Context, pool *pgxpool.Pool) (err error) {
	if d.opened, err = db.Version(ctx, pool); err != nil {
		return err
	}
	began, made := time.Now(), 0
	err = db.MigrateFunc(ctx, pool, func(m db.Migrated) {
		if d.opened == 0 {
			made++
			return
		}
		d.steps = append(d.steps, m)
		d.log.InfoContext(ctx, "migrated", "file", m.File, "took", m.Took.String())
	})
	if made > 0 && err == nil {
		d.log.InfoContext(ctx, "the database was made", "migrations", made, "took", time.Since(began).Round(time.Millisecond).String())
	}
	return err
}

const (
	// patience is how long serve waits for an external database, which may be starting at the same time or failing over.
	patience = time.Minute
	// askEvery is how long it waits between two tries.
	askEvery = 2 * time.Second
)

// await opens the database. A serving program tries again for a while if nothing answers at the address.
func (d *database) await(ctx context.Context, c config, open func() error) error {
	err := open()
	if c.beside || c.DatabaseURL == "" || !unanswered(err) {
		return err
	}
	d.log.WarnContext(ctx, "waiting for the database", "at_most", patience.String(), "error", err)
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for unanswered(err) {
		select {
		case <-time.After(askEvery):
			err = open()
		case <-ctx.Done():
			return err
		}
	}
	return err
}

// unanswered reports whether err means that no database answered, or that it is starting or stopping.
func unanswered(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return refused.Code == "57P03" // cannot_connect_now
	}
	return errors.As(err, new(*pgconn.ConnectError))
}

// close ends the connections, then the built-in database.
func (d *database) close(ctx context.Context) error {
	if d.pool != nil {
		d.pool.Close()
	}
	if d.server == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return d.server.Stop(ctx)
}

// makeData makes the data folder if the built-in database has not.
func (d *database) makeData() error {
	if err := os.MkdirAll(d.folder, 0o700); err != nil {
		return fmt.Errorf("FORECOURT_DATA: %w", err)
	}
	return nil
}
