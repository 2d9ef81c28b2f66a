package archive

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"forecourt/db/embedded"
)

const (
	segmentWithin = 2 * time.Minute // how long one file of the log may take
	complainEvery = 5 * time.Minute
)

// Config says what a Keeper works with.
type Config struct {
	Archive *Archive
	Data    string        // the data folder
	Files   []string      // of the data folder, which copies hold beside the database
	Every   time.Duration // between two copies of the whole database
	Copies  int           // how many are kept
	Log     *slog.Logger
	Free    func(dir string) (uint64, error) // free bytes of the disk below a folder; nil asks the system
}

// Keeper fills the archive of the database that this process runs. It is safe for concurrent use.
type Keeper struct {
	Config
	gap chan struct{} // holds one value while a segment is missing, so that a new copy of the whole is needed

	claiming sync.Mutex
	claimed  bool // guarded by claiming

	mu        sync.Mutex
	newest    string          // the newest segment in the archive
	histories map[string]bool // timelines whose history is stored
	base      time.Time       // of the newest copy on this timeline; zero: none, or not looked yet
	retry     time.Time       // not before then is a copy tried again
	dropped   int             // segments that were given up
	failing   bool            // the last file of the log could not be stored
	complain  time.Time       // not before then
}

// NewKeeper returns a Keeper. It removes what an earlier program left on its way.
func NewKeeper(c Config) *Keeper {
	if c.Free == nil {
		c.Free = freeBytes
	}
	left, _ := filepath.Glob(filepath.Join(c.Data, spoolPrefix+"*")) // the pattern is a good one
	for _, name := range left {
		_ = os.Remove(name)
	}
	return &Keeper{Config: c, gap: make(chan struct{}, 1), histories: map[string]bool{}}
}

func freeBytes(dir string) (uint64, error) {
	var disk unix.Statfs_t
	err := unix.Statfs(dir, &disk)
	return disk.Bavail * uint64(disk.Bsize), err //nolint:gosec // a block's size is positive
}

// Keep stores a file of the log, as embedded.Options.Archive. A failure makes PostgreSQL keep the file and try again, so the disk fills.
// Once the files that wait take as much of the disk as is left, Keep gives them up: a database that stops is worse than an archive
// with a gap.
func (k *Keeper) Keep(ctx context.Context, name, file string) error {
	ctx, cancel := context.WithTimeout(ctx, segmentWithin)
	defer cancel()
	err := k.store(ctx, name, file)
	k.note(ctx, err)
	if err != nil && k.full() {
		k.Log.ErrorContext(ctx, "the archive has failed for so long that its backlog would fill the disk: a file of it is given up", "file", name)
		k.mu.Lock()
		defer k.mu.Unlock()
		k.dropped++
		return nil
	}
	return err
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

// Claim makes sure that the archive can be read and is empty or this database's. It is for the start; Keep asks again until it is so.
func (k *Keeper) Claim(ctx context.Context) error {
	system, err := embedded.System(k.Data)
	if err != nil {
		return err
	}
	return k.Archive.Claim(ctx, system)
}

// claim is Claim, once. With a timeline it also reads how far the archive has got on it.
func (k *Keeper) claim(ctx context.Context, timeline string) error {
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
	names, err := k.Archive.log(ctx, timeline)
	if err == nil && len(names) > 0 {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.newest = names[len(names)-1]
	}
	return err
}

// storedUpTo is the newest segment in the archive, "" if it is not known.
func (k *Keeper) storedUpTo() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.newest
}

// putHistory stores the history of a timeline that a restore began, so that another restore begins another one.
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

// full reports whether what waits takes as much of the disk as is left.
func (k *Keeper) full() bool {
	waiting, err := embedded.Waiting(k.Data)
	if err != nil {
		return false
	}
	free, err := k.Free(k.Data)
	return err == nil && waiting.Bytes >= free
}

// note says that the archive fails, once in a while, and that it works again.
func (k *Keeper) note(ctx context.Context, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case err == nil && k.failing:
		k.complain = time.Time{}
		k.Log.InfoContext(ctx, "the archive works again")
	case err != nil && !time.Now().Before(k.complain):
		k.complain = time.Now().Add(complainEvery)
		waiting, _ := embedded.Waiting(k.Data) // the error is what has to be said
		k.Log.ErrorContext(ctx, "the archive cannot be written: what is committed now would be lost with this machine",
			"error", err, "waiting_bytes", waiting.Bytes, "waiting_since", waiting.Since)
	}
	k.failing = err != nil
}

// Figures say how an archive stands.
type Figures struct {
	Behind  time.Duration // age of the oldest file that waits
	Bytes   uint64        // of the files that wait
	Overdue time.Duration // how late the next copy of the whole is; 0 while it is not late
	Dropped int           // files of the log that this process gave up
}

// Figures looks how the archive stands now.
func (k *Keeper) Figures() Figures {
	k.mu.Lock()
	f := Figures{Dropped: k.dropped}
	if !k.base.IsZero() {
		f.Overdue = max(0, time.Since(k.base.Add(k.Every)))
	}
	k.mu.Unlock()
	if waiting, err := embedded.Waiting(k.Data); err == nil && waiting.Files > 0 {
		f.Behind, f.Bytes = time.Since(waiting.Since), waiting.Bytes
	}
	return f
}
