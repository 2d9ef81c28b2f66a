package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"forecourt/db/embedded"
	"forecourt/internal/archive"
)

const (
	// longWait is how long a file of PostgreSQL's log may wait for the archive, and lateCopy how late a copy may be, as in deploy/alerts.yml.
	longWait = time.Minute
	lateCopy = time.Hour
	// longSilence is how long PostgreSQL may archive nothing. A serving program writes to its log every 15 seconds.
	longSilence = 10 * time.Minute
)

// archiving is what PostgreSQL says about the archiving of its log.
type archiving struct {
	mode         string
	last, failed *time.Time
	waiting      embedded.Backlog // zero for an external database
}

// archived looks at the archiving of PostgreSQL's log.
func (d *doctor) archived(ctx context.Context) {
	if d.pool == nil {
		return
	}
	var a archiving
	err := d.pool.QueryRow(ctx, "SELECT current_setting('archive_mode'), last_archived_time, last_failed_time FROM pg_stat_archiver").Scan(&a.mode, &a.last, &a.failed)
	if err == nil && d.DatabaseURL == "" {
		a.waiting, err = embedded.Waiting(d.folder)
	}
	if err != nil {
		d.add("archive", warn, err.Error(), "")
		return
	}
	d.sayArchived(a, time.Now())
}

func (d *doctor) sayArchived(a archiving, now time.Time) {
	const do = "See the log for the reason; the disk fills up until archiving works again."
	switch {
	case a.mode == "off":
		d.add("archive", warn, "PostgreSQL's log is not archived: if the disk fails, everything since the last backup is lost", "See docs/operations.md#archive.")
	case a.failed != nil && (a.last == nil || a.failed.After(*a.last)):
		d.add("archive", fail, "the last try to archive failed at "+inUTC(*a.failed), do)
	case a.waiting.Files > 0 && now.Sub(a.waiting.Since) > longWait:
		d.add("archive", fail, fmt.Sprintf("%d files of the log have waited since %s: they are lost if this machine fails now", a.waiting.Files, inUTC(a.waiting.Since)), do)
	case a.last == nil:
		d.add("archive", warn, "nothing has been archived yet", "Look again in a few minutes.")
	case now.Sub(*a.last) > longSilence:
		d.add("archive", warn, "the last file was archived at "+inUTC(*a.last), "If a program has served since, see the log; an external PostgreSQL needs archive_timeout = 30.")
	default:
		d.add("archive", fine, "the last file was archived at "+inUTC(*a.last), "")
	}
}

func inUTC(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// copies looks at the copies of the whole database in the archive, and at the log that follows the newest one.
func (d *doctor) copies(ctx context.Context) {
	if d.pool == nil || d.Archive == nil {
		return
	}
	held, err := within(ctx, d.readArchive)
	if err != nil {
		d.add("copies", fail, fmt.Sprintf("%s: %v", d.Archive, err), checkAccess)
		return
	}
	d.sayCopies(held, time.Now())
}

const checkAccess = "Check FORECOURT_ARCHIVE and its key, and that this machine may read it."

// archiveContent is what the archive holds of the database.
type archiveContent struct {
	newest  time.Time // when the newest copy was made; zero: there is none
	missing string    // a file of the log that the archive lacks after the newest copy; "": none
	strange string    // a newer copy that was not made from this data folder; "": none
}

// readArchive compares the archive with the database.
func (d *doctor) readArchive(ctx context.Context) (held archiveContent, err error) {
	var system string
	var last *string
	err = d.pool.QueryRow(ctx, "SELECT system_identifier::text, last_archived_wal FROM pg_control_system(), pg_stat_archiver").Scan(&system, &last)
	if err != nil {
		return held, err
	}
	a := d.openArchive(os.TempDir())
	if err := a.CheckOwner(ctx, system); errors.Is(err, archive.ErrMissing) {
		return held, nil
	} else if err != nil {
		return held, err
	}
	timeline, err := archive.Timeline(ctx, d.pool)
	if err != nil {
		return held, err
	}
	bases, err := a.Bases(ctx)
	if err != nil {
		return held, err
	}
	made, err := archive.Made(d.folder) // after the bases, so that a copy that ends meanwhile is in the list
	if err != nil {
		return held, err
	}
	newest := archive.Newest(bases, made, timeline)
	if newest.Ended.IsZero() {
		return held, nil
	}
	held.newest = newest.Ended
	for _, b := range bases {
		if b.Ended.After(newest.Ended) && !slices.Contains(made, b.Name) {
			held.strange = b.Name
			return held, nil
		}
	}
	if held.missing, err = a.Gap(ctx, newest); err != nil {
		return held, err
	}
	if held.missing != "" {
		if again, err := archive.Made(d.folder); err != nil || !slices.Equal(again, made) {
			return d.readArchive(ctx) // a copy that has just ended may have replaced this one and its log
		}
		return held, nil
	}
	if last == nil || len(*last) < 24 || *last < newest.First { // or it is the history of a timeline
		return held, nil
	}
	segment := (*last)[:24] // a label's name goes on after that of its segment
	if err = a.GetLog(ctx, segment, io.Discard); errors.Is(err, archive.ErrMissing) {
		held.missing, err = segment, nil
	}
	return held, err
}

func (d *doctor) sayCopies(held archiveContent, now time.Time) {
	newest := held.newest
	says, do := held.wrong()
	switch {
	case says != "":
		d.add("copies", fail, says, do)
	case now.Sub(newest) > d.ArchiveEvery+lateCopy:
		late := warn
		if now.Sub(newest) > 2*d.ArchiveEvery+lateCopy {
			late = fail
		}
		d.add("copies", late, fmt.Sprintf("the newest copy is of %s, and one is due every %s", inUTC(newest), d.ArchiveEvery),
			"A serving program makes one when it is due: see the log for what is in its way.")
	default:
		d.add("copies", fine, "the newest copy is of "+inUTC(newest), "")
	}
}

// wrong says why the archive cannot restore this database as it is now, and what to do about it. It returns "" if it sees no reason.
func (c archiveContent) wrong() (says, do string) {
	switch {
	case c.newest.IsZero():
		return "the archive has no copy of this database since it was made or restored, and its log is of no use without one",
			"A serving program makes one within a minute of its start: see the log for what is in its way."
	case c.strange != "":
		return fmt.Sprintf("%s is newer than this server's last copy and was not made by it, and a restore would try it first: either another program, which serves what was restored elsewhere, archives here, or somebody added the file", c.strange),
			"If there is such a program, stop it, or give it another FORECOURT_ARCHIVE. Then remove the file from the archive."
	case c.missing != "":
		return fmt.Sprintf("the archive lacks %s, a file of the log since the copy of %s: what was committed in that file and later cannot be restored", c.missing, inUTC(c.newest)),
			"Run forecourt backup FILE now. The serving program finds the gap within an hour, or when it is restarted, and copies the whole database."
	}
	return "", ""
}

// restoreArchived restores the archive into a temporary folder, reads it and deletes it. PostgreSQL ends a recovery where the log ends, so
// whether the end is missing shows only in the database itself.
func (d *doctor) restoreArchived(ctx context.Context) {
	if d.pool != nil {
		looking, cancel := context.WithTimeout(ctx, checkWithin)
		held, err := within(looking, d.readArchive)
		cancel()
		if err != nil {
			d.add("restore", fail, fmt.Sprintf("%s: %v", d.Archive, err), checkAccess)
			return
		}
		if says, do := held.wrong(); says != "" {
			d.add("restore", fail, says, do)
			return
		}
	}
	var r recovered
	transactions, err := tryRestore(ctx, func(folder string) (err error) {
		r, err = recoverArchive(ctx, d.config, folder, time.Time{})
		return errors.Join(append(r.unfit, err)...)
	})
	if err != nil {
		d.add("restore", fail, fmt.Sprintf("%s: %v", d.Archive, err), "Run forecourt backup FILE now. What is damaged or missing no longer matters after the next copy.")
		return
	}
	d.add("restore", fine, fmt.Sprintf("%s was restored up to %s and read: %d transactions", d.Archive, inUTC(r.reached), transactions), "")
}
