package dbtest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"forecourt/internal/kit/check"
)

func TestSweepKeepsFoldersInUse(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	folder := func(name string) (dir string, lock *os.File) {
		dir = filepath.Join(parent, name)
		check.Must(t, os.Mkdir(dir, 0o700))
		lock, err := os.Create(filepath.Join(dir, "lock"))
		check.Must(t, err)
		t.Cleanup(func() { _ = lock.Close() })
		return dir, lock
	}
	left, _ := folder(prefix + "left")
	held, lock := folder(prefix + "held")
	other, _ := folder("PostgreSQL.1")
	check.Must(t, unix.Flock(int(lock.Fd()), unix.LOCK_EX))

	sweep(parent, time.Hour)
	_, err := os.Stat(left)
	check.NoError(t, err, "a folder was removed before it was old enough")
	sweep(parent, 0)
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("a folder that no server uses was kept: %v", err)
	}
	for _, dir := range []string{held, other} {
		_, err := os.Stat(dir)
		check.NoError(t, err, "a folder in use was removed")
	}
}
