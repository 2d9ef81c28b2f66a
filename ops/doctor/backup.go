package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"forecourt/ops/archive"
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

// NoteBackup writes the path of the last backup into the data folder, for forecourt doctor.
func NoteBackup(folder, file string) error {
	at, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	return os.WriteFile(lastBackupNote(folder), []byte(at+"\n"), 0o600)
}

// backup looks at the last file that forecourt backup wrote. A site with an archive needs none.
func (d *Doctor) backup(context.Context) (Finding, error) {
	const do = "Run forecourt backup FILE every night, and keep the file on another machine."
	if d.DatabaseURL != "" {
		return Warning("the database is external, so its backups cannot be seen from here", "See docs/operations.md for what to keep."), nil
	}
	file, at, err := lastBackup(d.Folder)
	age := time.Since(at).Round(time.Minute)
	switch {
	case err != nil:
		return Finding{}, err
	case file == "" && d.Archived:
		return Finding{}, nil
	case file == "":
		return Warning("there is no backup yet", do), nil
	case age > oldBackup && !d.Archived:
		return Warning(fmt.Sprintf("the last one, %s, is %s old", file, age), do), nil
	}
	return Good(fmt.Sprintf("%s is %s old", file, age)), nil
}

// copies looks at the copies of the whole database in the archive.
func (d *Doctor) copies(context.Context) (Finding, error) {
	if !d.Archived {
		return Finding{}, nil
	}
	c, err := archive.ReadCopy(d.Folder)
	return judgeCopies(c, time.Now()), err
}

func judgeCopies(c archive.Copied, now time.Time) Finding {
	const do = "A serving program makes one when it is due: see the log for what is in its way."
	late := "the newest copy is of " + inUTC(c.At) + ", and one is due every day"
	age := now.Sub(c.At)
	switch {
	case c.At.IsZero():
		return Failing("the archive has no copy of this database since it was made or restored, and its log is of no use without one", do)
	case c.Gap != "":
		return Failing("part of the log was given up since the copy of "+inUTC(c.At)+
			", because the disk was filling: what came after cannot be restored", do)
	case age > 2*archive.CopyEvery+lateCopy:
		return Failing(late, do)
	case age > archive.CopyEvery+lateCopy:
		return Warning(late, do)
	}
	return Good("the newest copy is of " + inUTC(c.At))
}
