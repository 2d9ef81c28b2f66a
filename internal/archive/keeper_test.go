package archive

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestAKeeperGivesUpBeforeTheDiskIsFull makes the archive fail while files wait, as an unplugged disk does.
func TestAKeeperGivesUpBeforeTheDiskIsFull(t *testing.T) {
	t.Parallel()
	data, parent := t.TempDir(), t.TempDir()
	status := filepath.Join(data, "cluster", "pg_wal", "archive_status")
	for _, dir := range []string{status, filepath.Join(data, "cluster", "global"), filepath.Join(parent, "archive")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(data, "cluster", "global", "pg_control"), []byte("12345678 and so on"), 0o600); err != nil {
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
	segment := func(n int) string { return fmt.Sprintf("00000001%016X", n) }
	keep := func(n int) error { return k.Keep(t.Context(), segment(n), file(t, segment(n))) }
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
		if err := os.WriteFile(filepath.Join(status, segment(2+n)+".ready"), nil, 0o600); err != nil {
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
	if err := again.Keep(t.Context(), segment(6), file(t, "x")); err != nil || len(again.gap) != 1 {
		t.Errorf("after a restart: %v, copies due: %d", err, len(again.gap))
	}
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
