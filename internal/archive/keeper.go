package archive

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"forecourt/db/embedded"
)

const (
	segmentWithin = 2 * time.Minute  // how long one file of the log may take
	fullEvery     = 10 * time.Second // how often the wait for it checks whether the disk is full
	complainEvery = 5 * time.Minute  // how often the log says that the archive takes nothing
)

// Config holds what a Keeper needs.
type Config struct {
	Archive *Archive
	Data    string        // the data folder
	Files   []string      // files of the data folder that copies hold beside the database
	Every   time.Duration // time between two copies of the whole database
	Copies  int           // how many copies are kept
	Log     *slog.Logger
	Free    func(dir string) (uint64, error) // free bytes of the disk below a folder; nil asks the system
}

// Keeper fills the archive of the database that this process runs. It is safe for concurrent use.
type Keeper struct {
	Config
	storing chan struct{} // holds a value while a file of the log is being stored
	gap     chan struct{} // holds a value while a segment is missing, so that a new copy of the whole is needed

	checked time.Time // when Run last checked the archive for gaps; only Run uses it

	claiming sync.Mutex
	claimed  bool // guarded by claiming

	mu        sync.Mutex
	newest    string          // the newest segment in the archive
	histories map[string]bool // timelines whose history is stored
	base      time.Time       // of the newest copy on this timeline; zero: none, or not looked yet
	wanted    time.Time       // since when there has to be a copy, if base is zero
	retry     time.Time       // no copy is tried before then
	dropped   int             // segments that were given up
	failing   bool            // the last file of the log could not be stored
	complain  time.Time       // no failure is logged before then
}

// NewKeeper returns a Keeper. It removes temporary files that an earlier program left behind.
func NewKeeper(c Config) *Keeper {
	if c.Free == nil {
		c.Free = freeBytes
	}
	left, _ := filepath.Glob(filepath.Join(c.Data, spoolPrefix+"*")) // fails only for a malformed pattern
	for _, name := range left {
		_ = os.Remove(name)
	}
	return &Keeper{Config: c, wanted: time.Now(), storing: make(chan struct{}, 1), gap: make(chan struct{}, 1), histories: map[string]bool{}}
}

func freeBytes(dir string) (uint64, error) {
	var disk unix.Statfs_t
	err := unix.Statfs(dir, &disk)
	return disk.Bavail * uint64(disk.Bsize), err //nolint:gosec // a block's size is positive
}

// Keep stores a file of the log; it serves as embedded.Options.Archive. After a failure PostgreSQL keeps the file and tries again, so the
// disk fills up. Once the waiting files are as large as the free space, Keep gives them up: a database that stops is worse than an archive
// with a gap.
func (k *Keeper) Keep(ctx context.Context, name, file string) error {
	err := k.storeInTime(ctx, name, file)
	k.note(ctx, err)
	if err != nil && k.full() {
		k.Log.ErrorContext(ctx, "the archive is too far behind: a file of the log was given up", "file", name)
		k.mu.Lock()
		defer k.mu.Unlock()
		k.dropped++
		return nil
	}
	return err
}

// ErrSilent means that the archive does not answer.
var ErrSilent = errors.New("the archive does not answer")

// storeInTime is store for a disk that may not answer: nothing interrupts its system calls. It waits at most segmentWithin, and no longer once
// the disk of the data is full. While one call hangs, all others fail at once.
func (k *Keeper) storeInTime(ctx context.Context, name, file string) error {
	select {
	case k.storing <- struct{}{}:
	default:
		return ErrSilent
	}
	ctx, cancel := context.WithTimeoutCause(ctx, segmentWithin, ErrSilent)
	defer cancel()
	ticker := time.NewTicker(fullEvery)
	defer ticker.Stop()
	done := make(chan error, 1)
	go func() {
		err := k.store(ctx, name, file)
		<-k.storing
		done <- err
	}()
	for {
		select {
		case err := <-done:
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
			if k.full() {
				return ErrSilent
			}
		}
	}
}

func (k *Keeper) store(ctx context.Context, name, file string) error {
	if !isSegment(name) {
		return k.storeAs(ctx, name, file, "")
	}
	if err := k.putHistory(ctx, name[:8]); err != nil {
		return err
	}
	return k.storeAs(ctx, name, file, name[:8])
}

func (k *Keeper) storeAs(ctx context.Context, name, file, timeline string) error {
	if err := k.claim(ctx, timeline); err != nil {
		return err
	}
	if err := k.Archive.PutLog(ctx, name, file); err != nil || timeline == "" {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.newest != "" && k.newest[:8] == timeline && name > after(k.newest) {
		k.needCopy()
	}
	k.newest = max(k.newest, name)
	return nil
}

// needCopy asks Run for a copy of the whole.
func (k *Keeper) needCopy() {
	select {
	case k.gap <- struct{}{}:
	default:
	}
}

// Claim makes sure that the archive can be read, and is empty or this database's. Call it at the start; Keep checks again until it succeeds.
func (k *Keeper) Claim(ctx context.Context) error {
	system, err := embedded.System(k.Data)
	if err != nil {
		return err
	}
	return k.Archive.Claim(ctx, system)
}

// claim does the work of Claim until it has succeeded once. For a timeline it also reads the newest segment in the archive. It takes no longer than
// checkWithin, because meanwhile no file of the log can be stored.
func (k *Keeper) claim(ctx context.Context, timeline string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, checkWithin, ErrSilent)
	defer cancel()
	k.claiming.Lock()
	defer k.claiming.Unlock()
	if !k.claimed {
		if err := k.Claim(ctx); err != nil {
			return err
		}
		k.claimed = true
	}
	if timeline == "" || k.storedUpTo() != "" {
		return nil
	}
	names, _, err := k.Archive.log(ctx, timeline)
	if err == nil && len(names) > 0 {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.newest = names[len(names)-1]
	}
	return err
}

// storedUpTo returns the newest segment in the archive, or "" if it is not known.
func (k *Keeper) storedUpTo() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.newest
}

// putHistory stores the history of a timeline that a restore began, so that the next restore begins yet another.
func (k *Keeper) putHistory(ctx context.Context, timeline string) error {
	k.mu.Lock()
	done := k.histories[timeline]
	k.mu.Unlock()
	name := timeline + ".history"
	file := filepath.Join(k.Data, "cluster", "pg_wal", name)
	if _, err := os.Stat(file); done || err != nil {
		return nil // the first timeline has no history
	}
	if err := k.storeAs(ctx, name, file, ""); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.histories[timeline] = true
	return nil
}

// full reports whether the waiting files take as much of the disk as is left.
func (k *Keeper) full() bool {
	waiting, err := embedded.Waiting(k.Data)
	if err != nil {
		return false
	}
	free, err := k.Free(k.Data)
	return err == nil && waiting.Bytes >= free
}

// note logs from time to time that the archive fails, and that it works again.
func (k *Keeper) note(ctx context.Context, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case err == nil && k.failing:
		k.complain = time.Time{}
		k.Log.InfoContext(ctx, "the archive works again")
	case err != nil && !time.Now().Before(k.complain):
		k.complain = time.Now().Add(complainEvery)
		waiting, _ := embedded.Waiting(k.Data) // err matters more
		k.Log.ErrorContext(ctx, "the archive cannot be written: if this machine fails now, recent changes are lost",
			"error", err, "waiting_bytes", waiting.Bytes, "waiting_since", waiting.Since)
	}
	k.failing = err != nil
}

// Figures are an archive's figures for monitoring.
type Figures struct {
	Behind  time.Duration // age of the oldest waiting file
	Bytes   uint64        // size of the waiting files
	Overdue time.Duration // how overdue the next copy of the whole database is; the first is due at the start
	Dropped int           // files of the log that this process gave up
}

// Figures returns the present figures of the archive.
func (k *Keeper) Figures() Figures {
	k.mu.Lock()
	f, due := Figures{Dropped: k.dropped}, k.wanted // the log is of no use without a first copy
	if !k.base.IsZero() {
		due = k.base.Add(k.Every)
	}
	k.mu.Unlock()
	f.Overdue = max(0, time.Since(due))
	if waiting, err := embedded.Waiting(k.Data); err == nil && waiting.Files > 0 {
		f.Behind, f.Bytes = time.Since(waiting.Since), waiting.Bytes
	}
	return f
}
