package dbtest

import (
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

const (
	memory = "/dev/shm"
	prefix = "forecourt-test-"
	enough = 2 << 30 // bytes; the databases of a whole run take a quarter of that
	old    = time.Hour
)

// folder makes the data folder of a test server. It lies in memory if there is room, since copying and dropping a database takes
// ten times as long on disk. The server's settings are the same in both places.
func folder() (string, error) {
	var disk unix.Statfs_t
	err := unix.Statfs(memory, &disk)
	if err != nil || disk.Flags&unix.ST_NOEXEC != 0 || disk.Bavail*uint64(disk.Bsize) < enough { //nolint:gosec // a block's size is positive
		return os.MkdirTemp("", prefix+"*")
	}
	sweep(memory, old)
	return os.MkdirTemp(memory, prefix+"*")
}

// sweep removes what killed tests left in a folder: data folders of that age that no server uses any more.
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
