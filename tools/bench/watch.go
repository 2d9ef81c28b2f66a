package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db/embedded"
)

const (
	memoryEvery = 2 * time.Second
	manyRows    = 5000 // a table with fewer is young, and most of its rows are a few minutes old
)

// watch follows how a trade affects the program: its memory, and the dead rows in its database.
type watch struct {
	process *process
	conn    *pgx.Conn
	told    int      // how many shares have been printed
	bloated []string // tables with too many dead rows
	cpu     cpuTime  // of the machine at the last look

	mu     sync.Mutex
	shares []float64 // of memory, in MB
}

// newWatch connects to the built-in database of a process.
func newWatch(ctx context.Context, p *process, folder string) (*watch, error) {
	dsn, err := embedded.Attach(folder, embedded.Database)
	if err != nil {
		return nil, err
	}
	now, err := readCPUTime()
	if err != nil {
		return nil, err
	}
	conn, err := pgx.Connect(ctx, dsn)
	return &watch{process: p, conn: conn, cpu: now}, err
}

// stolen returns the share of processor time that other machines took since the last call, 0 to 1.
func (w *watch) stolen() (float64, error) {
	now, err := readCPUTime()
	before := w.cpu
	w.cpu = now
	return now.stolenSince(before), err
}

func (w *watch) close(ctx context.Context) { _ = w.conn.Close(context.WithoutCancel(ctx)) }

// memory reads the program's memory until ctx ends.
func (w *watch) memory(ctx context.Context) error {
	for ctx.Err() == nil {
		now, err := w.process.memoryShare()
		if err != nil {
			return err
		}
		w.mu.Lock()
		w.shares = append(w.shares, now)
		w.mu.Unlock()
		_ = wait(ctx, memoryEvery)
	}
	return nil
}

func (w *watch) soFar() []float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.shares)
}

// tableState holds PostgreSQL's statistics of a table.
type tableState struct {
	Name       string
	Live, Dead int64
	Bytes      int64 // with its indexes
}

// print prints memory and tables, and remembers tables with too many dead rows.
func (w *watch) print(ctx context.Context, r *report) error {
	rows, err := w.conn.Query(ctx, `SELECT relname, n_live_tup, n_dead_tup, pg_total_relation_size(relid) FROM pg_stat_user_tables
		WHERE n_live_tup >= $1 ORDER BY 4 DESC`, manyRows)
	if err != nil {
		return err
	}
	tables, err := pgx.CollectRows(rows, pgx.RowToStructByPos[tableState])
	if err != nil {
		return err
	}
	shares := w.soFar()
	r.known("memory of the program (PSS), median", median(shares[w.told:]), megabytes)
	w.told = len(shares) - 1
	for _, t := range tables {
		dead := float64(t.Dead) / float64(t.Live+t.Dead)
		name := fmt.Sprintf("dead rows of %s (%d live, %d B each)", t.Name, t.Live, t.Bytes/max(t.Live, 1))
		r.atMost(name, 100*dead, 100*mostDead, percent)
		if dead > mostDead && !slices.Contains(w.bloated, t.Name) {
			w.bloated = append(w.bloated, t.Name)
		}
	}
	return nil
}

// verdict compares the memory of the last third with that of the first third, leaving out the first tenth, in which everything starts up.
func (w *watch) verdict(r *report) error {
	shares := w.soFar()
	steady := shares[len(shares)/10:]
	third := len(steady) / 3
	if third == 0 {
		return errors.New("too short to compare thirds")
	}
	growth := median(steady[len(steady)-third:]) / median(steady[:third])
	r.section("In the end")
	r.atMost("memory of the last third, against the first", growth, mostGrowth, times)
	var err error
	if growth > mostGrowth {
		err = fmt.Errorf("memory grew to %.2f times", growth)
	}
	if len(w.bloated) > 0 {
		err = errors.Join(err, fmt.Errorf("more than a fifth of the rows are dead in %v", w.bloated))
	}
	return err
}
