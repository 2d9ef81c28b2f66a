package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"filippo.io/age"
	"github.com/jackc/pgx/v5"

	"forecourt/ops/embedded"
)

const (
	// CopyEvery is how often a base backup is made.
	CopyEvery  = 24 * time.Hour
	copiesKept = 7
	lookEvery  = 15 * time.Second // how often it is checked whether a copy is due
	copyWithin = 6 * time.Hour
	copyRetry  = 5 * time.Minute // how long to wait before a failed copy is tried again, and a failure is logged again
	// copyLeaves is how many bytes of the data folder's disk stay free while a base backup is made there, because
	// payments that cannot be written fail.
	copyLeaves  = 256 << 20
	spoolPrefix = ".archive-"     // begins the names of temporary files
	copyNote    = "archived-copy" // file of the data folder that says which copy was made last
	status      = `SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8),
		coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false),
		coalesce(last_archived_time, stats_reset, now()), now() FROM pg_stat_archiver`
)

// Keeper stores base backups of a data folder in its archive, and watches PostgreSQL archive its WAL there. It is safe for
// concurrent use.
type Keeper struct {
	Place     *Place
	Recipient age.Recipient
	Data      string   // the data folder
	Files     []string // files of the data folder that copies hold beside the database
	Log       *slog.Logger

	retry, complain time.Time // nothing is tried, or logged, before then; only Run uses them

	mu      sync.Mutex
	figures Figures
}

// Figures are an archive's figures for monitoring.
type Figures struct {
	Behind  time.Duration // since PostgreSQL last archived a file, if it fails to
	Bytes   uint64        // size of the files that wait
	Overdue time.Duration // how overdue the next base backup is; the first is due at the start
	Gap     bool          // segments were dropped since the last copy
}

// Figures returns the present figures of the archive.
func (k *Keeper) Figures() Figures {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.figures
}

// Run makes a base backup when one is due and when the WAL has a gap, until ctx ends. dsn is the address of the database for the
// role that owns it.
func (k *Keeper) Run(ctx context.Context, dsn string) {
	left, _ := filepath.Glob(filepath.Join(k.Data, spoolPrefix+"*")) // fails only for a malformed pattern
	for _, name := range left {
		_ = os.Remove(name)
	}
	started := time.Now()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		if err := k.look(ctx, dsn, started); err != nil && ctx.Err() == nil {
			k.Log.ErrorContext(ctx, "no base backup can be stored in the archive", "error", err)
			k.retry = time.Now().Add(copyRetry)
		}
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
	}
}

// look updates the figures and makes a copy if one is due.
func (k *Keeper) look(ctx context.Context, dsn string, started time.Time) error {
	f, timeline, err := k.ask(ctx, dsn)
	if err != nil {
		return err
	}
	c, err := ReadCopy(k.Data)
	if err != nil {
		return err
	}
	due := started
	if of := k.of(timeline); c.of == of && !c.At.After(time.Now()) { // it is later after the clock ran ahead
		due = c.At.Add(CopyEvery)
	}
	f.Overdue, f.Gap = max(0, time.Since(due)), c.Gap != ""
	k.note(ctx, f)
	if f.Overdue == 0 && !f.Gap || time.Now().Before(k.retry) {
		return nil
	}
	// It is opened anew each time, because a disk may have been mounted since.
	a, err := Open(k.Place, k.Recipient, nil)
	if err != nil {
		return err
	}
	system, err := System(cluster(k.Data))
	if err != nil {
		return err
	}
	ended, err := k.copyWhole(ctx, a, system, dsn)
	if err != nil {
		return err
	}
	if err := a.prune(ctx, system, copiesKept); err != nil { // a key that can only put cannot
		k.Log.WarnContext(ctx, "old base backups stay in the archive unless its own rules remove them", "error", err)
	}
	return k.writeCopy(ended, timeline, c.Gap)
}

// of says of what the copies are: after another one, they have to be made anew.
func (k *Keeper) of(timeline string) string {
	return fmt.Sprint(timeline, " ", k.Recipient, " ", k.Place)
}

// ask asks PostgreSQL for its timeline and how it archives its WAL.
func (k *Keeper) ask(ctx context.Context, dsn string) (f Figures, timeline string, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return f, "", err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	var fails bool
	var last, now time.Time
	if err := conn.QueryRow(ctx, status).Scan(&timeline, &fails, &last, &now); err != nil {
		return f, "", err
	}
	if fails {
		f.Behind = now.Sub(last)
	}
	f.Bytes = waiting(cluster(k.Data))
	return f, timeline, nil
}

// note keeps the figures, and logs from time to time that the archive fails.
func (k *Keeper) note(ctx context.Context, f Figures) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if f.Behind > 0 && time.Now().After(k.complain) {
		k.complain = time.Now().Add(copyRetry)
		k.Log.ErrorContext(ctx, "the archive cannot be written: if this machine fails now, recent changes are lost; postgres.log says why",
			"behind", f.Behind.Round(time.Second).String(), "waiting_bytes", f.Bytes)
	}
	if f.Gap && !k.figures.Gap {
		k.Log.ErrorContext(ctx, "archive too far behind: WAL segments dropped, starting a new base backup")
	}
	k.figures = f
}

// copyWhole makes a base backup. It seals the copy into a file first, so that PostgreSQL need not keep its log while a bucket is slow.
func (k *Keeper) copyWhole(ctx context.Context, a *Archive, system, dsn string) (ended time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, copyWithin)
	defer cancel()
	began := time.Now()
	f, err := os.CreateTemp(k.Data, spoolPrefix)
	if err != nil {
		return ended, err
	}
	defer func() { err = errors.Join(err, f.Close(), os.Remove(f.Name())) }()
	var made embedded.BackupInfo
	err = a.seal(f, func(w io.Writer) (err error) {
		made, err = embedded.Backup(ctx, dsn, k.Data, k.Files, sparing{w, k.Data, freeBytes})
		return err
	})
	if err != nil {
		return ended, err
	}
	size, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return ended, err
	}
	b := newBase(system, made.First, time.Now())
	if err := a.store.put(ctx, b.Name, io.NewSectionReader(f, 0, size)); err != nil {
		return ended, err
	}
	k.Log.InfoContext(ctx, "base backup stored in the archive", "name", b.Name,
		"took", time.Since(began).Round(time.Millisecond).String())
	return b.Ended, nil
}

// sparing is a writer that fails once too little of the disk below a folder is left.
type sparing struct {
	io.Writer
	folder string
	free   func(string) (uint64, error)
}

func (s sparing) Write(p []byte) (int, error) {
	if free, err := s.free(s.folder); err == nil && free < copyLeaves {
		return 0, fmt.Errorf("the disk of the data folder has less than %d MB left", copyLeaves>>20)
	}
	return s.Writer.Write(p)
}

func cluster(data string) string { return filepath.Join(data, "cluster") }

// Copied says which base backup was made last from a data folder.
type Copied struct {
	At  time.Time // zero: none
	Gap string    // the WAL that was dropped since; "": none
	of  string    // see Keeper.of
}

// ReadCopy reads what a data folder notes about the last copy.
func ReadCopy(data string) (c Copied, err error) {
	gap, err := os.ReadFile(filepath.Join(cluster(data), gapNote))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return c, err
	}
	c.Gap = strings.TrimSpace(string(gap))
	text, err := os.ReadFile(filepath.Join(data, copyNote))
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	at, of, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	if when, wrong := time.Parse(time.RFC3339Nano, at); wrong == nil {
		c.At, c.of = when, of
	}
	return c, err
}

// writeCopy notes a copy, and forgets a gap before it.
func (k *Keeper) writeCopy(at time.Time, timeline, gap string) error {
	err := writeNote(filepath.Join(k.Data, copyNote), []string{at.UTC().Format(time.RFC3339Nano) + " " + k.of(timeline)})
	if err != nil || gap == "" {
		return err
	}
	c, err := ReadCopy(k.Data)
	if err != nil || c.Gap != gap {
		return err // more was dropped meanwhile
	}
	return os.Remove(filepath.Join(cluster(k.Data), gapNote))
}
