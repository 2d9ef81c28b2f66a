package main

import (
	"context"
	"fmt"
	"time"

	"forecourt/internal/archive"
)

const (
	// lateCopy is how late a copy of the whole database may be, as in deploy/alerts.yml.
	lateCopy = time.Hour
	// longSilence is how long PostgreSQL may archive nothing. A serving program writes to its log every 15 seconds.
	longSilence = 10 * time.Minute
)

// archiving is what PostgreSQL says about the archiving of its log.
type archiving struct {
	mode         string
	last, failed *time.Time
}

// archived looks at the archiving of PostgreSQL's log.
func (d *doctor) archived(ctx context.Context) {
	if d.pool == nil {
		return
	}
	var a archiving
	const ask = "SELECT current_setting('archive_mode'), last_archived_time, last_failed_time FROM pg_stat_archiver"
	err := d.pool.QueryRow(ctx, ask).Scan(&a.mode, &a.last, &a.failed)
	if err != nil {
		d.add("archive", warn, err.Error(), "")
		return
	}
	d.sayArchived(a, time.Now())
}

func (d *doctor) sayArchived(a archiving, now time.Time) {
	switch {
	case a.mode == "off":
		d.add("archive", warn, "PostgreSQL's log is not archived: if the disk fails, everything since the last backup is lost",
			"See docs/operations.md#archive.")
	case a.failed != nil && (a.last == nil || a.failed.After(*a.last)):
		d.add("archive", fail, "the last try to archive failed at "+inUTC(*a.failed),
			"PostgreSQL's log (postgres.log in the data folder) says why; the disk fills up until archiving works again.")
	case a.last == nil:
		d.add("archive", warn, "nothing has been archived yet", "Look again in a few minutes.")
	case now.Sub(*a.last) > longSilence:
		d.add("archive", warn, "the last file was archived at "+inUTC(*a.last),
			"If a program has served since, see the log; an external PostgreSQL needs archive_timeout = 30.")
	default:
		d.add("archive", fine, "the last file was archived at "+inUTC(*a.last), "")
	}
}

// copies looks at the copies of the whole database in the archive.
func (d *doctor) copies(context.Context) {
	if d.ArchiveTo == nil {
		return
	}
	c, err := archive.ReadCopy(d.folder)
	if err != nil {
		d.add("copies", fail, err.Error(), "Run this as the owner of the data folder, or as root.")
		return
	}
	d.sayCopies(c, time.Now())
}

func (d *doctor) sayCopies(c archive.Copied, now time.Time) {
	const do = "A serving program makes one when it is due: see the log for what is in its way."
	age := now.Sub(c.At)
	switch {
	case c.At.IsZero():
		d.add("copies", fail,
			"the archive has no copy of this database since it was made or restored, and its log is of no use without one", do)
	case c.Gap != "":
		d.add("copies", fail, "part of the log was given up since the copy of "+inUTC(c.At)+
			", because the disk was filling: what came after cannot be restored", do)
	case age > 2*archive.CopyEvery+lateCopy:
		d.add("copies", fail, "the newest copy is of "+inUTC(c.At)+", and one is due every day", do)
	case age > archive.CopyEvery+lateCopy:
		d.add("copies", warn, "the newest copy is of "+inUTC(c.At)+", and one is due every day", do)
	default:
		d.add("copies", fine, "the newest copy is of "+inUTC(c.At), "")
	}
}

// restoreArchived restores the archive into a temporary folder, reads it and deletes it.
func (d *doctor) restoreArchived(ctx context.Context) {
	var r recovered
	transactions, err := tryRestore(ctx, func(folder string) (err error) {
		r, err = recoverArchive(ctx, d.ArchiveTo, d.identity, d.System, folder, time.Time{})
		return err
	})
	if err != nil {
		d.add("restore", fail, fmt.Sprintf("%s: %v", d.ArchiveTo, err),
			"Run forecourt backup FILE now. What is damaged or missing no longer matters after the next copy.")
		return
	}
	d.add("restore", fine,
		fmt.Sprintf("%s was restored up to %s and read: %d transactions", d.ArchiveTo, inUTC(r.reached), transactions), "")
}
