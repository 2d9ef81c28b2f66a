package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sys/unix"

	"forecourt/db/embedded"
)

// oldBackup is how old the last backup may be.
const oldBackup = 36 * time.Hour

// backup looks at the last file that forecourt backup wrote. A site with an archive needs none.
func (d *doctor) backup(context.Context) {
	const do = "Run forecourt backup FILE every night, and keep the file on another machine."
	if d.DatabaseURL != "" {
		d.add("backup", warn, "the database is external, so its backups cannot be seen from here", "See docs/operations.md for what to keep.")
		return
	}
	file, err := readLineOf(lastBackup(d.folder))
	switch {
	case err != nil:
		d.add("backup", warn, err.Error(), "Run this as the owner of the data folder, or as root.")
		return
	case file == "" && d.ArchiveTo != nil:
		return
	case file == "":
		d.add("backup", warn, "there is no backup yet", do)
		return
	}
	info, err := os.Stat(lastBackup(d.folder))
	if err != nil {
		d.add("backup", warn, err.Error(), do)
		return
	}
	age := time.Since(info.ModTime()).Round(time.Minute)
	if age > oldBackup && d.ArchiveTo == nil {
		d.add("backup", warn, fmt.Sprintf("the last one, %s, is %s old", file, age), do)
		return
	}
	d.add("backup", fine, fmt.Sprintf("%s is %s old", file, age), "")
}

// restore restores the backup of --file, the archive or the last backup into a temporary folder, reads it and deletes it.
func (d *doctor) restore(ctx context.Context) {
	if err := d.placeToRestore(ctx); err != nil {
		d.add("restore", fail, err.Error(), "Set TMPDIR to a folder on a disk with room, on which programs may run.")
		return
	}
	file, from := d.File, d.copied
	if d.identity != nil {
		d.restoreArchived(ctx)
		return
	}
	if from == nil {
		var err error
		if file, err = readLineOf(lastBackup(d.folder)); err != nil || file == "" || d.DatabaseURL != "" {
			d.add("restore", fail, "there is no backup of the built-in database to try", "Run forecourt backup FILE first.")
			return
		}
		if from, err = os.Open(file); err != nil {
			do := "Make another backup now."
			if errors.Is(err, fs.ErrPermission) { // of root too, since the service may have named any file there
				do = "Name the file yourself, as root if it is root's: forecourt doctor --restore --file FILE"
			}
			d.add("restore", fail, err.Error(), do)
			return
		}
		defer func() { _ = from.Close() }()
	}
	transactions, err := tryRestore(ctx, func(folder string) error {
		_, err := embedded.Restore(folder, keptFiles(), from)
		return err
	})
	if err != nil {
		d.add("restore", fail, fmt.Sprintf("%s: %v", file, err), "Make another backup now, and keep this file until that one is tried.")
		return
	}
	d.add("restore", fine, fmt.Sprintf("%s was restored and read: %d transactions", file, transactions), "")
}

// placeToRestore returns an error if a restore cannot work in the temporary folder: where no program may run, or where there is less free
// space than a restore takes, that is the database and what a copy of it takes meanwhile. Without a database it cannot know the space.
func (d *doctor) placeToRestore(ctx context.Context) error {
	var disk unix.Statfs_t
	if err := unix.Statfs(os.TempDir(), &disk); err != nil {
		return fmt.Errorf("%s: %w", os.TempDir(), err)
	}
	var size uint64
	if d.pool != nil {
		if err := d.pool.QueryRow(ctx, "SELECT pg_database_size(current_database())").Scan(&size); err != nil {
			return err
		}
	}
	return fitToRestore(os.TempDir(), disk, 2*size)
}

// fitToRestore returns an error if no program may run on a folder's disk, if its free bytes are fewer than needed, or if leastDisk would
// not be left.
func fitToRestore(folder string, disk unix.Statfs_t, needed uint64) error {
	if disk.Flags&unix.MS_NOEXEC != 0 {
		return fmt.Errorf("%s is mounted with noexec, and a restore starts PostgreSQL there", folder)
	}
	free := disk.Bavail * uint64(disk.Bsize) //nolint:gosec // a block is larger than nothing
	if needed += leastDisk; free < needed {
		return fmt.Errorf("%.1f GB are free in %s, and a restore may need %.1f GB", float64(free)/1e9, folder, float64(needed)/1e9)
	}
	return nil
}

// trials begins the names of temporary folders in which a restore is tried.
const trials = "forecourt-doctor-"

// removeTrials removes the folders that killed doctors left, since they hold what the backup holds. A running doctor holds a lock on its
// own.
func removeTrials() {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), trials+"*")) // fails only for a malformed pattern
	for _, folder := range left {
		if lock, err := lockTrial(folder); err == nil {
			_ = os.RemoveAll(folder) // another account's stays
			_ = lock.Close()
		}
	}
}

// newTrial makes a temporary folder and takes it. A doctor that starts at the same moment may take the folder first and remove it, so
// newTrial tries a few times.
func newTrial() (folder string, lock *os.File, err error) {
	for range 5 {
		if folder, err = os.MkdirTemp("", trials); err != nil {
			return "", nil, err
		}
		if lock, err = lockTrial(folder); err == nil {
			if _, err = os.Lstat(folder); err == nil {
				return folder, lock, nil
			}
			_ = lock.Close()
		}
		_ = os.Remove(folder)
	}
	return "", nil, err
}

// lockTrial takes a temporary folder until the file is closed or the process ends.
func lockTrial(folder string) (*os.File, error) {
	f, err := os.OpenFile(folder, unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// tryRestore lets put fill a temporary data folder, and counts the transactions in it.
func tryRestore(ctx context.Context, put func(folder string) error) (transactions int, err error) {
	removeTrials()
	above, lock, err := newTrial()
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(above), lock.Close()) }()
	if err := os.Chmod(above, 0o711); err != nil { //nolint:gosec // PostgreSQL's user passes through; the folder inside is closed
		return 0, err
	}
	folder := filepath.Join(above, "data")
	if err := put(folder); err != nil {
		return 0, err
	}
	server, err := embedded.Start(ctx, embedded.Options{Dir: folder, Logger: slog.New(slog.DiscardHandler), Existing: true})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, server.Stop(context.WithoutCancel(ctx))) }()
	conn, err := pgx.Connect(ctx, server.DSN(embedded.Database))
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	err = conn.QueryRow(ctx, "SELECT count(*) FROM transaction").Scan(&transactions)
	return transactions, err
}
