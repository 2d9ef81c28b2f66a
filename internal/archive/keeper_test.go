package archive

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAKeeperGivesUpBeforeTheDiskIsFull lets the archive fail while files wait, as on a disk that was unplugged.
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
		t.Errorf("all is well: %+v", f)
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
			t.Fatal("it was stored nowhere")
		}
	}
	if f := k.Figures(); f.Behind <= 0 || f.Bytes != 32<<20 || f.Dropped != 0 {
		t.Errorf("two files wait: %+v", f)
	}
	if n := strings.Count(said.String(), "the archive cannot be written"); n != 1 {
		t.Errorf("it says so %d times: %s", n, &said)
	}
	if _, err := os.Stat(place.folder); err == nil {
		t.Error("it made the folder of a disk that is not there")
	}
	free = 32 << 20
	if err := keep(2); err != nil {
		t.Errorf("the disk fills: %v", err)
	}
	if f := k.Figures(); f.Dropped != 1 || !strings.Contains(said.String(), "dropped a WAL file") {
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
		t.Errorf("no copy closes the gap; it says %s", &said)
	}
	<-k.gap
	if err := keep(4); err != nil || len(k.gap) != 0 {
		t.Errorf("the next one: %v, a gap: %d", err, len(k.gap))
	}

	// Another start sees a gap that the last one left.
	again := NewKeeper(k.Config)
	if err := again.Keep(t.Context(), segment(6), file(t, "x")); err != nil || len(again.gap) != 1 {
		t.Errorf("%v, a gap: %d", err, len(again.gap))
	}
}
