package main

import (
	"os"

	"golang.org/x/sys/unix"
)

const (
	memory = "/dev/shm"
	enough = 6 << 30 // bytes; a run uses at most a third of that at a time
)

// roomInMemory reports whether a whole run, programs included, fits into memory.
func roomInMemory() bool {
	var disk unix.Statfs_t
	err := unix.Statfs(memory, &disk)
	return err == nil && disk.Flags&unix.ST_NOEXEC == 0 && disk.Bavail*uint64(disk.Bsize) >= enough //nolint:gosec // a block's size is positive
}

// inMemory makes every program started from here on keep its temporary files in memory, if there is room. A run makes a hundred
// databases, and PostgreSQL on a disk would wait at each commit. remove deletes the files.
func inMemory() (remove func(), err error) {
	if !roomInMemory() {
		return func() {}, nil
	}
	dir, err := os.MkdirTemp(memory, "forecourt-check-")
	if err != nil {
		return func() {}, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	if err := os.Chmod(dir, 0o777|os.ModeSticky); err != nil { // PostgreSQL runs as another user if this runs as root
		return remove, err
	}
	return remove, os.Setenv("TMPDIR", dir)
}
