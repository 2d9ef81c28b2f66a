// Package replica reads from a copy of the database while that follows closely. It is not for data that must be current.
package replica

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"forecourt/db"
)

const (
	// Bound is how old the copy may be. A menu is cached for another half second, and a switch must take effect within one second.
	Bound = 300 * time.Millisecond
	// lookEvery is how often the age of the copy is measured.
	lookEvery = 100 * time.Millisecond
	// readWithin is how long a read may take before the database itself is asked.
	readWithin = 150 * time.Millisecond
	// lookWithin limits one measurement on both servers.
	lookWithin = 2 * time.Second
	// settleWithin is how long Check waits for a copy to be close enough.
	settleWithin = 5 * time.Second
	// logEvery is how often to log whether the copy can be read.
	logEvery = time.Minute
)

// Reasons why a copy is not read.
var (
	ErrNoReplica = errors.New("it is not a replica")
	errBehind    = fmt.Errorf("it is more than %s behind", Bound)
)

// Replica is a copy of a database. It is safe for concurrent use. A nil Replica reads nothing.
type Replica struct {
	primary, copy *pgxpool.Pool
	log           *slog.Logger
	started       time.Time
	asOf          atomic.Int64 // the copy holds all that was committed then, as nanoseconds after started
	seen          track
	logged        time.Time
	wasFresh      bool

	here, elsewhere atomic.Int64 // reads
}

// Config holds what Open needs.
type Config struct {
	URL      string
	Primary  *pgxpool.Pool // of the database that it is a copy of
	MaxConns int32         // pgx's choice when zero
	Log      *slog.Logger
}

// Open returns a copy. It connects on first use.
func Open(ctx context.Context, c Config) (*Replica, error) {
	cfg, err := pgxpool.ParseConfig(c.URL)
	if err != nil {
		return nil, fmt.Errorf("database address: %w", err)
	}
	if c.MaxConns > 0 {
		cfg.MaxConns = c.MaxConns
	}
	cfg.ConnConfig.RuntimeParams["application_name"] = "forecourt"
	cfg.ConnConfig.ConnectTimeout = lookWithin
	cfg.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe // it may be behind a pooler
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, err
	}
	r := &Replica{primary: c.Primary, copy: pool, log: c.Log, started: time.Now(), wasFresh: true}
	r.asOf.Store(-int64(time.Hour))
	return r, nil
}

// Close ends the connections, after Run has ended.
func (r *Replica) Close() { r.copy.Close() }

// Run measures the age of the copy until ctx ends. Without it, nothing is read.
func (r *Replica) Run(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		err := r.look(ctx)
		if ctx.Err() == nil {
			r.logState(err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// Check checks whether there is a replica that follows closely.
func (r *Replica) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, settleWithin)
	defer cancel()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		switch err := r.look(ctx); {
		case ctx.Err() != nil:
			return errBehind
		case err != nil || r.fresh():
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// Read reads from the copy. It returns false if the copy is away or too old, or if read failed: then the caller must ask the
// database itself.
func (r *Replica) Read(ctx context.Context, read func(context.Context, db.DBTX) error) bool {
	if r == nil {
		return false
	}
	if r.fresh() {
		ctx, cancel := context.WithTimeout(ctx, readWithin)
		defer cancel()
		if err := read(ctx, r.copy); err == nil {
			r.here.Add(1)
			return true
		}
	}
	r.elsewhere.Add(1)
	return false
}

// Reads returns how many reads the copy answered, and how many it could not.
func (r *Replica) Reads() (here, elsewhere int64) { return r.here.Load(), r.elsewhere.Load() }

// Behind returns the greatest possible age of the copy.
func (r *Replica) Behind() time.Duration { return time.Since(r.started) - time.Duration(r.asOf.Load()) }

func (r *Replica) fresh() bool { return r.Behind() <= Bound }

// look asks the database for its position, and then asks the copy how far it has followed. Positions are bytes of the write-ahead log.
func (r *Replica) look(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, lookWithin)
	defer cancel()
	at := time.Since(r.started)
	var flushed int64
	if err := r.primary.QueryRow(ctx, "SELECT (pg_current_wal_flush_lsn() - '0/0')::bigint").Scan(&flushed); err != nil {
		return fmt.Errorf("asking the database: %w", err)
	}
	r.seen.add(at, flushed)
	var replayed *int64
	err := r.copy.QueryRow(ctx, "SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::bigint END").Scan(&replayed)
	switch {
	case err != nil:
		return fmt.Errorf("asking the replica: %w", err)
	case replayed == nil:
		return ErrNoReplica
	}
	if asOf, ok := r.seen.reached(*replayed); ok {
		r.asOf.Store(int64(asOf))
	}
	return nil
}

// logState logs a change, at limited intervals.
func (r *Replica) logState(err error) {
	fresh := r.fresh()
	if err == nil && !fresh {
		err = errBehind
	}
	if fresh == r.wasFresh || time.Since(r.logged) < logEvery {
		return
	}
	r.wasFresh, r.logged = fresh, time.Now()
	if fresh {
		r.log.Info("the replica answers for menus again")
	} else {
		r.log.Warn("the replica does not answer, the database itself does", "error", err)
	}
}
