package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db"
	"forecourt/db/embedded"
)

const (
	lookEvery  = 5 * time.Second // how often it is checked whether a copy is due
	copyWithin = 6 * time.Hour
	// copyRetry is how long to wait before a failed copy of the whole database is tried again.
	copyRetry = 5 * time.Minute
	// checkEvery is how often the archive is checked for files that were removed from it.
	checkEvery = time.Hour
	// checkWithin is how long such a check may take. An archive may answer so slowly that it never ends.
	checkWithin = 15 * time.Minute
	// copyLeaves is how many bytes of the data folder's disk stay free while a copy of the whole database is made there, because payments that
	// cannot be written fail.
	copyLeaves = 256 << 20
)

// Run copies the whole database when a copy is due and when the log has a gap, until ctx ends. dsn is the address of the database for the
// role that owns it.
func (k *Keeper) Run(ctx context.Context, dsn string) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		if err := k.copyWhenDue(ctx, dsn); err != nil && ctx.Err() == nil {
			k.Log.ErrorContext(ctx, "the whole database cannot be copied to the archive", "error", err)
			k.mu.Lock()
			k.retry = time.Now().Add(copyRetry)
			k.mu.Unlock()
		}
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
	}
}

func (k *Keeper) copyWhenDue(ctx context.Context, dsn string) error {
	k.mu.Lock()
	base, retry := k.base, k.retry
	k.mu.Unlock()
	if time.Now().Before(retry) {
		return nil
	}
	if base.IsZero() || time.Since(k.checked) >= checkEvery {
		newest, err := k.newestCopy(ctx, dsn)
		switch {
		case err == nil:
			base, k.checked = newest, time.Now()
		case base.IsZero():
			return err
		default:
			k.Log.WarnContext(ctx, "the archive cannot be checked for missing files", "error", err)
			k.checked = time.Now().Add(copyRetry - checkEvery)
		}
	}
	gap := len(k.gap) > 0
	if age := time.Since(base); !gap && age >= 0 && age < k.Every { // it is below 0 after the clock ran ahead
		return nil
	}
	if gap {
		<-k.gap
	}
	if err := k.copyWhole(ctx, dsn); err != nil {
		if gap {
			k.needCopy()
		}
		return fmt.Errorf("copy: %w", err)
	}
	made, err := Made(k.Data)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, copyWithin, ErrSilent)
	defer cancel()
	kept, err := k.Archive.Prune(ctx, made, k.Copies)
	return errors.Join(err, writeMade(k.Data, kept))
}

// newestCopy reads when the newest copy of the database's timeline was made. A copy with a gap in the log that follows it counts as none: an
// earlier program may have ended before another copy closed the gap, or somebody removed a file.
func (k *Keeper) newestCopy(ctx context.Context, dsn string) (at time.Time, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, checkWithin, ErrSilent)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return at, err
	}
	timeline, err := Timeline(ctx, conn)
	if err := errors.Join(err, conn.Close(ctx)); err != nil {
		return at, err
	}
	if err := k.claim(ctx, timeline); err != nil {
		return at, err
	}
	made, err := Made(k.Data)
	if err != nil {
		return at, err
	}
	bases, err := k.Archive.Bases(ctx)
	if err != nil {
		return at, err
	}
	b := Newest(bases, made, timeline)
	if !b.Ended.IsZero() {
		missing, err := k.missing(ctx, b)
		if err != nil {
			return at, err
		}
		if missing != "" {
			k.Log.WarnContext(ctx, "the archive has a gap: the whole database is copied again", "missing", missing)
			b = Base{}
		}
	}
	k.setBase(b.Ended)
	return b.Ended, nil
}

// missing returns a segment that the archive lacks since a base, up to the newest one that was stored, or "" if it lacks none.
func (k *Keeper) missing(ctx context.Context, b Base) (string, error) {
	newest := k.storedUpTo()
	segment, err := k.Archive.Gap(ctx, b)
	if err != nil || segment != "" || newest == "" || newest[:8] != b.timeline() {
		return segment, err
	}
	if there, err := k.Archive.holdsLog(ctx, newest); err != nil || there {
		return "", err
	}
	return newest, nil
}

// Timeline returns the timeline of a running database, the first 8 digits of the names of its log. A restore begins another one.
func Timeline(ctx context.Context, conn db.DBTX) (timeline string, err error) {
	err = conn.QueryRow(ctx, "SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8)").Scan(&timeline)
	return timeline, err
}

// Newest returns the copy of the whole database on a timeline that was made last, of those that are in made. It returns the zero Base if there
// is none.
func Newest(bases []Base, made []string, timeline string) (newest Base) {
	for _, name := range slices.Backward(made) {
		i := slices.IndexFunc(bases, func(b Base) bool { return b.Name == name && b.timeline() == timeline })
		if i >= 0 {
			return bases[i]
		}
	}
	return Base{}
}

// setBase notes when the newest copy was made; zero says that another copy is needed.
func (k *Keeper) setBase(at time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if at.IsZero() && !k.base.IsZero() {
		k.wanted = time.Now()
	}
	k.base = at
}

func (k *Keeper) copyWhole(ctx context.Context, dsn string) error {
	ctx, cancel := context.WithTimeout(ctx, copyWithin)
	defer cancel()
	began := time.Now()
	b, err := k.Archive.PutBase(ctx, func(w io.Writer) (string, error) {
		made, err := embedded.Backup(ctx, dsn, k.Data, k.Files, &sparing{Writer: w, keeper: k})
		if err != nil {
			return "", err
		}
		return made.First, k.await(ctx, made.Last)
	})
	if err != nil {
		return err
	}
	k.setBase(b.Ended)
	made, err := Made(k.Data)
	if err == nil {
		err = writeMade(k.Data, append(made, b.Name))
	}
	if err != nil {
		return err
	}
	k.Log.InfoContext(ctx, "the whole database was copied to the archive", "name", b.Name, "took", time.Since(began).Round(time.Millisecond).String())
	return nil
}

// sparing is a writer that fails once too little of the disk is left. It looks every 16 MB.
type sparing struct {
	io.Writer
	keeper *Keeper
	unseen int // bytes until it looks again
}

func (s *sparing) Write(p []byte) (int, error) {
	if s.unseen -= len(p); s.unseen <= 0 {
		if free, err := s.keeper.Free(s.keeper.Data); err == nil && free < copyLeaves {
			return 0, fmt.Errorf("the disk of the data folder has less than %d MB left", copyLeaves>>20)
		}
		s.unseen = 16 << 20
	}
	return s.Writer.Write(p)
}

// await waits until a segment is stored. PostgreSQL hands it over at the end of a backup.
func (k *Keeper) await(ctx context.Context, segment string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, segmentWithin, errors.New("the log that the copy needs was not archived in time"))
	defer cancel()
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	for {
		if k.storedUpTo() >= segment {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-poll.C:
		}
	}
}
