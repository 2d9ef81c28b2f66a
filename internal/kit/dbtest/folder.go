package dbtest

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sys/unix"

	"forecourt/internal/kit/check"
)

const (
	memory = "/dev/shm"
	prefix = "forecourt-test-"
	enough = 2 << 30 // bytes; the databases of a whole run take a quarter of that
	old    = time.Hour
)

// folder makes the data folder of a test server, in memory if there is room: copying and dropping a database takes ten times as long
// on disk. The server's settings are the same in both places.
func folder() (string, error) {
	var disk unix.Statfs_t
	err := unix.Statfs(memory, &disk)
	if err != nil || disk.Flags&unix.ST_NOEXEC != 0 || disk.Bavail*uint64(disk.Bsize) < enough { //nolint:gosec // a block's size is positive
		return os.MkdirTemp("", prefix+"*")
	}
	sweep(memory, old)
	return os.MkdirTemp(memory, prefix+"*")
}

// sweep removes data folders of at least the given age that killed tests left behind and no server uses.
func sweep(parent string, age time.Duration) {
	left, _ := filepath.Glob(filepath.Join(parent, prefix+"*"))
	for _, dir := range left {
		if info, err := os.Stat(dir); err != nil || time.Since(info.ModTime()) < age {
			continue
		}
		lock, err := os.Open(filepath.Join(dir, "lock"))
		if err != nil {
			continue
		}
		if unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
			_ = os.RemoveAll(dir)
		}
		_ = lock.Close()
	}
}

// LendProgram links the PostgreSQL that the tests' server unpacked, if any, into a data folder, so that a first start there does not
// unpack it again, which takes seconds under the race detector.
func LendProgram(t testing.TB, dir string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address("postgres"))
	check.Must(t, err)
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	var cluster string
	check.Must(t, conn.QueryRow(t.Context(), "SHOW data_directory").Scan(&cluster))
	unpacked, err := filepath.Glob(filepath.Join(filepath.Dir(cluster), "postgresql-*"))
	check.Must(t, err)
	for _, home := range unpacked {
		check.Must(t, os.Symlink(home, filepath.Join(dir, filepath.Base(home))))
	}
}
