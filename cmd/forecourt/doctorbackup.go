package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sys/unix"

	"forecourt/db/embedded"
	"forecourt/internal/archive"
)

const (
	// oldBackup is how old the last backup may be.
	oldBackup = 36 * time.Hour
	// lateCopy is how late a copy of the whole database may be, as in deploy/alerts.yml.
	lateCopy = time.Hour
)

// lastBackup returns the path of the last file that forecourt backup wrote, and when; "" for none.
func lastBackup(folder string) (file string, at time.Time, err error) {
	note := lastBackupNote(folder)
	text, err := os.ReadFile(note)
	if errors.Is(err, fs.ErrNotExist) {
		return "", at, nil
	}
	info, statErr := os.Stat(note)
	if err := errors.Join(err, statErr); err != nil {
		return "", at, err
	}
	return strings.TrimSpace(string(text)), info.ModTime(), nil
}

func lastBackupNote(folder string) string { return filepath.Join(folder, "last-backup") }

// backup looks at the last file that forecourt backup wrote. A site with an archive needs none.
func (d *doctor) backup(context.Context) (finding, error) {
	const do = "Run forecourt backup FILE every night, and keep the file on another machine."
	if d.DatabaseURL != "" {
		return warning("the database is external, so its backups cannot be seen from here", "See docs/operations.md for what to keep."), nil
	}
	file, at, err := lastBackup(d.folder)
	age := time.Since(at).Round(time.Minute)
	switch {
	case err != nil:
		return finding{}, err
	case file == "" && d.ArchiveTo != nil:
		return finding{}, nil
	case file == "":
		return warning("there is no backup yet", do), nil
	case age > oldBackup && d.ArchiveTo == nil:
		return warning(fmt.Sprintf("the last one, %s, is %s old", file, age), do), nil
	}
	return fineAs(fmt.Sprintf("%s is %s old", file, age)), nil
}

// copies looks at the copies of the whole database in the archive.
func (d *doctor) copies(context.Context) (finding, error) {
	if d.ArchiveTo == nil {
		return finding{}, nil
	}
	c, err := archive.ReadCopy(d.folder)
	return judgeCopies(c, time.Now()), err
}

func judgeCopies(c archive.Copied, now time.Time) finding {
	const do = "A serving program makes one when it is due: see the log for what is in its way."
	late := "the newest copy is of " + inUTC(c.At) + ", and one is due every day"
	age := now.Sub(c.At)
	switch {
	case c.At.IsZero():
		return failing("the archive has no copy of this database since it was made or restored, and its log is of no use without one", do)
	case c.Gap != "":
		return failing("part of the log was given up since the copy of "+inUTC(c.At)+
			", because the disk was filling: what came after cannot be restored", do)
	case age > 2*archive.CopyEvery+lateCopy:
		return failing(late, do)
	case age > archive.CopyEvery+lateCopy:
		return warning(late, do)
	}
	return fineAs("the newest copy is of " + inUTC(c.At))
}

// restore restores the backup of --file, the archive or the last backup into a temporary folder, reads it and deletes it.
func (d *doctor) restore(ctx context.Context) (finding, error) {
	if err := d.placeToRestore(ctx); err != nil {
		return failing(err.Error(), "Set TMPDIR to a folder on a disk with room, on which programs may run."), nil
	}
	if d.identity != nil {
		var r recovered
		transactions, err := tryRestore(ctx, func(folder string) (err error) {
			r, err = recoverArchive(ctx, d.ArchiveTo, d.identity, d.System, folder, time.Time{})
			return err
		})
		if err != nil {
			return finding{}, fmt.Errorf("%s: %w", d.ArchiveTo, err)
		}
		return fineAs(fmt.Sprintf("%s was restored up to %s and read: %d transactions", d.ArchiveTo, inUTC(r.reached), transactions)), nil
	}
	file, from := d.File, d.copied
	if from == nil {
		var err error
		if file, _, err = lastBackup(d.folder); err != nil || file == "" || d.DatabaseURL != "" {
			return failing("there is no backup of the built-in database to try", "Run forecourt backup FILE first."), nil
		}
		from, err = os.Open(file)
		if errors.Is(err, fs.ErrPermission) { // of root too, since the service may have named any file there
			return failing(err.Error(), "Name the file yourself, as root if it is root's: forecourt doctor --restore --file FILE"), nil
		}
		if err != nil {
			return finding{}, err
		}
		defer func() { _ = from.Close() }()
	}
	transactions, err := tryRestore(ctx, func(folder string) error {
		_, err := embedded.Restore(folder, keptFiles(), from)
		return err
	})
	if err != nil {
		return finding{}, fmt.Errorf("%s: %w", file, err)
	}
	return fineAs(fmt.Sprintf("%s was restored and read: %d transactions", file, transactions)), nil
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

// leftBehind looks for folders of doctors that were killed, since they hold what the backup holds.
func (d *doctor) leftBehind(context.Context) (finding, error) {
	left, err := filepath.Glob(filepath.Join(os.TempDir(), trials+"*"))
	if len(left) == 0 {
		return finding{}, err
	}
	return warning("copies of the database in "+strings.Join(left, " "), "Unless another doctor is at work, delete them."), err
}

// tryRestore lets put fill a temporary data folder, and counts the transactions in it.
func tryRestore(ctx context.Context, put func(folder string) error) (transactions int, err error) {
	above, err := os.MkdirTemp("", trials)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(above)) }()
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
