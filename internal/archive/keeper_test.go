package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"forecourt/internal/archive/store"
)

// TestAKeeperGivesUpBeforeTheDiskIsFull makes the archive fail while files wait, as an unplugged disk does.
func TestAKeeperGivesUpBeforeTheDiskIsFull(t *testing.T) {
	t.Parallel()
	data, status := dataOf(t)
	parent := t.TempDir()
	if err := os.Mkdir(filepath.Join(parent, "archive"), 0o700); err != nil {
		t.Fatal(err)
	}
	place, err := ParsePlace(filepath.Join(parent, "archive"))
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	free := uint64(100 << 20)
	k := NewKeeper(Config{
		Archive: open(t, place), Data: data, Log: slog.New(slog.NewTextHandler(&said, nil)), Free: func(string) (uint64, error) { return free, nil },
	})
	keep := func(n int) error { return k.Keep(t.Context(), segmentOf(n), file(t, segmentOf(n))) }
	if err := keep(1); err != nil {
		t.Fatal(err)
	}
	if f := k.Figures(); f.Behind != 0 || f.Bytes != 0 || f.Dropped != 0 {
		t.Errorf("while the archive works: %+v", f)
	}

	unplugged := filepath.Join(parent, "unplugged")
	if err := os.Rename(place.folder, unplugged); err != nil {
		t.Fatal(err)
	}
	for n := range 2 {
		if err := os.WriteFile(filepath.Join(status, segmentOf(2+n)+".ready"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	free = 32<<20 + 1
	for range 3 {
		if err := keep(2); err == nil {
			t.Fatal("Keep succeeded while the archive was unplugged")
		}
	}
	if f := k.Figures(); f.Behind <= 0 || f.Bytes != 32<<20 || f.Dropped != 0 {
		t.Errorf("figures while two files wait: %+v", f)
	}
	if n := strings.Count(said.String(), "the archive cannot be written"); n != 1 {
		t.Errorf("the failure was logged %d times, want once: %s", n, &said)
	}
	if _, err := os.Stat(place.folder); err == nil {
		t.Error("Keep made the folder of an unplugged disk")
	}
	free = 32 << 20
	if err := keep(2); err != nil {
		t.Errorf("Keep while the disk fills up: %v", err)
	}
	if f := k.Figures(); f.Dropped != 1 || !strings.Contains(said.String(), "a file of the log was given up") {
		t.Errorf("%+v, it says %s", f, &said)
	}
	if len(k.gap) != 0 {
		t.Error("a copy is due while nothing can be stored")
	}

	if err := os.Rename(unplugged, place.folder); err != nil {
		t.Fatal(err)
	}
	if err := keep(3); err != nil {
		t.Fatal(err)
	}
	if len(k.gap) != 1 || !strings.Contains(said.String(), "the archive works again") {
		t.Errorf("no copy is due after the gap; log: %s", &said)
	}
	<-k.gap
	if err := keep(4); err != nil || len(k.gap) != 0 {
		t.Errorf("the next file: %v, copies due: %d", err, len(k.gap))
	}

	// The next start notices the gap that this one left.
	again := NewKeeper(k.Config)
	if err := again.Keep(t.Context(), segmentOf(6), file(t, "x")); err != nil || len(again.gap) != 1 {
		t.Errorf("after a restart: %v, copies due: %d", err, len(again.gap))
	}
}

// dataOf makes a data folder, and the folder where PostgreSQL notes which files wait.
func dataOf(t *testing.T) (data, status string) {
	t.Helper()
	data = t.TempDir()
	status = filepath.Join(data, "cluster", "pg_wal", "archive_status")
	for _, dir := range []string{status, filepath.Join(data, "cluster", "global")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(data, "cluster", "global", "pg_control"), []byte("12345678 and so on"), 0o600); err != nil {
		t.Fatal(err)
	}
	return data, status
}

func segmentOf(n int) string { return fmt.Sprintf("00000001%016X", n) }

// silent is a store that does not answer until its channel is closed, whatever happens to the context, as a disk over NFS.
type silent struct {
	store.Store
	answer chan struct{}
}

func (s silent) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	<-s.answer
	return s.Store.Get(ctx, name)
}

// TestAnArchiveThatDoesNotAnswerIsGivenUp has the disk fill up while the archive's disk hangs.
func TestAnArchiveThatDoesNotAnswerIsGivenUp(t *testing.T) {
	t.Parallel()
	data, status := dataOf(t)
	place, err := ParsePlace(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		a := open(t, place)
		hung := silent{a.store, make(chan struct{})}
		a.store = hung
		free := uint64(100 << 20)
		k := NewKeeper(Config{Archive: a, Data: data, Log: slog.New(slog.DiscardHandler), Free: func(string) (uint64, error) { return free, nil }})
		keep := func(n int) (time.Duration, error) {
			began := time.Now()
			err := k.Keep(t.Context(), segmentOf(n), file(t, segmentOf(n)))
			return time.Since(began), err
		}
		if took, err := keep(1); !errors.Is(err, ErrSilent) || took != 2*time.Minute {
			t.Errorf("while there is room: %v after %s", err, took)
		}
		if took, err := keep(1); !errors.Is(err, ErrSilent) || took != 0 {
			t.Errorf("again, while the first call hangs: %v after %s", err, took)
		}
		if err := os.WriteFile(filepath.Join(status, segmentOf(1)+".ready"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		free = 16 << 20
		if took, err := keep(1); err != nil || took != 0 || k.Figures().Dropped != 1 {
			t.Errorf("while the disk fills up: %v after %s, %d files were given up", err, took, k.Figures().Dropped)
		}
		close(hung.answer)
		synctest.Wait()
		if names, _, err := a.log(t.Context(), "00000001"); err != nil || len(names) != 0 {
			t.Errorf("a file that was given up is stored when PostgreSQL may have used it again: %v, %v", names, err)
		}
		free = 100 << 20
		if _, err := keep(2); err != nil {
			t.Errorf("after it answers again: %v", err)
		}

		hung.answer = make(chan struct{})
		a.store, free = hung, 16<<20
		if took, err := keep(3); err != nil || took != 10*time.Second || k.Figures().Dropped != 2 {
			t.Errorf("a first call while the disk fills up: %v after %s, %d files were given up", err, took, k.Figures().Dropped)
		}
		close(hung.answer)
	})
}

// endless is a store whose files never end: each read gets a byte a second.
type endless struct{ store.Store }

func (endless) Get(ctx context.Context, _ string) (io.ReadCloser, error) {
	r, w := io.Pipe()
	go func() {
		for ctx.Err() == nil {
			_, _ = w.Write([]byte("a"))
			<-time.After(time.Second)
		}
		_ = w.CloseWithError(context.Cause(ctx))
	}()
	return r, nil
}

// TestACheckThatNeverEndsIsGivenUp has the check of the archive hold up files of the log no longer than it may take.
func TestACheckThatNeverEndsIsGivenUp(t *testing.T) {
	t.Parallel()
	data, _ := dataOf(t)
	place, err := ParsePlace(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		a := open(t, place)
		works := a.store
		a.store = endless{works}
		k := NewKeeper(Config{Archive: a, Data: data, Log: slog.New(slog.DiscardHandler)})
		began := time.Now()
		if err := k.claim(t.Context(), "00000001"); !errors.Is(err, ErrSilent) || time.Since(began) > checkWithin+time.Minute {
			t.Errorf("%v after %s", err, time.Since(began))
		}
		a.store = works
		if err := k.Keep(t.Context(), segmentOf(1), file(t, segmentOf(1))); err != nil {
			t.Errorf("after it answers again: %v", err)
		}
	})
}

// TestACopyIsOverdue has the first copy be due from the start on: an archive that never gets one restores nothing.
func TestACopyIsOverdue(t *testing.T) {
	t.Parallel()
	const none = -1 * time.Second
	for name, tt := range map[string]struct{ started, copied, want time.Duration }{
		"no copy, just started":              {0, none, 0},
		"no copy in two hours":               {2 * time.Hour, none, 2 * time.Hour},
		"a copy of this day":                 {48 * time.Hour, 23 * time.Hour, 0},
		"a copy of this day, just started":   {0, 23 * time.Hour, 0},
		"a copy of 26 hours ago":             {48 * time.Hour, 26 * time.Hour, 2 * time.Hour},
		"a copy of an earlier start, of old": {0, 72 * time.Hour, 48 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := NewKeeper(Config{Data: t.TempDir(), Every: 24 * time.Hour})
			now := time.Now()
			k.wanted = now.Add(-tt.started)
			if tt.copied != none {
				k.setBase(now.Add(-tt.copied))
			}
			if got := k.Figures().Overdue.Truncate(time.Minute); got != tt.want {
				t.Errorf("%s overdue, want %s", got, tt.want)
			}
		})
	}
}
