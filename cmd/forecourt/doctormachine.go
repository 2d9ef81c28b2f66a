package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	// leastDisk and littleDisk are the free bytes of the data folder below which the check fails or warns.
	leastDisk, littleDisk = 500e6, 5e9
	// manyFiles is the number of open files that suffices for all event streams of a process.
	manyFiles = 32_768
)

func (d *doctor) settings(env environment) {
	before := len(d.findings)
	if unknown := unknownSettings(env.environ); len(unknown) > 0 {
		d.add("settings", warn, "unknown: "+strings.Join(unknown, ", "), "Correct the names; docs/settings.md lists them.")
	}
	if err := d.checkMail(); err != nil {
		d.add("settings", fail, err.Error(), "Set SMTP_URL.")
	}
	if madeUp := d.madeUp(); !d.demo && len(madeUp) > 0 {
		d.add("settings", warn, "pages show made-up values for "+strings.Join(madeUp, " "), "Set them.")
	}
	if d.openDemo() {
		d.add("settings", warn, "this is a demo that others can reach", "Set FORECOURT_DEMO=off for anything else.")
	}
	if len(d.findings) == before {
		d.add("settings", fine, "all names are known", "")
	}
}

// database checks the settings that keep acknowledged payments through a crash, and the schema.
func (d *doctor) database(ctx context.Context) {
	if d.pool == nil {
		return
	}
	var version, fsync, pages, commit, checksums string
	err := d.pool.QueryRow(ctx, `SELECT current_setting('server_version'), current_setting('fsync'), current_setting('full_page_writes'),
		current_setting('synchronous_commit'), current_setting('data_checksums')`).Scan(&version, &fsync, &pages, &commit, &checksums)
	switch {
	case err != nil:
		d.add("database", fail, err.Error(), "")
		return
	case fsync != "on" || pages != "on" || commit == "off":
		d.add("durability", fail, fmt.Sprintf("fsync %s, full_page_writes %s, synchronous_commit %s: a crash may lose payments", fsync, pages, commit),
			"Turn all three on in postgresql.conf; forecourt serve refuses to start without them.")
	case checksums != "on":
		d.add("durability", warn, "PostgreSQL "+version+" has no checksums of its pages", "Run pg_checksums --enable while it is stopped.")
	default:
		d.add("durability", fine, "PostgreSQL "+version+", fsync and checksums on", "")
	}
	newerErr := db.Newer(ctx, d.pool)
	current, err := db.Current(ctx, d.pool)
	switch {
	case newerErr != nil:
		d.add("schema", fail, newerErr.Error(), "")
	case err != nil:
		d.add("schema", fail, err.Error(), "")
	case !current:
		d.add("schema", warn, "it is older than this program", "Run forecourt migrate, or start forecourt serve.")
	default:
		d.add("schema", fine, "up to date", "")
	}
}

// tuning prints the settings by which PostgreSQL fits its machine. The built-in PostgreSQL derives them from memory and disk when it starts.
func (d *doctor) tuning(ctx context.Context) {
	if d.pool == nil {
		return
	}
	rows, err := d.pool.Query(ctx, "SELECT name, current_setting(name) FROM pg_settings WHERE name = ANY($1) ORDER BY array_position($1, name)",
		[]string{"shared_buffers", "effective_cache_size", "random_page_cost", "max_wal_size", "max_connections", "autovacuum_naptime", "autovacuum_vacuum_scale_factor", "autovacuum"})
	if err != nil {
		d.add("tuning", fail, err.Error(), "")
		return
	}
	var says []string
	var name, value string
	_, err = pgx.ForEachRow(rows, []any{&name, &value}, func() error {
		says = append(says, name+" "+value)
		return nil
	})
	if err != nil {
		d.add("tuning", fail, err.Error(), "")
		return
	}
	if d.DatabaseURL == "" {
		says = append(says, fmt.Sprintf("on a machine with %.1f GB of memory", float64(embedded.Memory())/1e9))
	}
	if value == "off" { // of autovacuum, the last one
		d.add("tuning", warn, strings.Join(says, ", "), "Set autovacuum = on: tables grow with every change.")
		return
	}
	d.add("tuning", fine, strings.Join(says, ", "), "")
}

// clock compares this machine's clock with the database's. The gateway check compares it with the gateway's.
func (d *doctor) clock(ctx context.Context) {
	if d.pool == nil {
		return
	}
	before := time.Now()
	var there time.Time
	if err := d.pool.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&there); err != nil {
		return
	}
	d.sayClock("the database", there, before, time.Now())
}

// sayClock reports on a clock that was read between two moments.
func (d *doctor) sayClock(whose string, there, before, after time.Time) {
	off := there.Sub(after)
	if there.Before(before) {
		off = there.Sub(before)
	} else if there.Before(after) {
		off = 0
	}
	if off.Abs() > wrongClock {
		d.add("clock", fail, fmt.Sprintf("the clock of %s differs by %s", whose, off.Round(time.Second)), "Turn on time synchronisation (systemd-timesyncd or chrony) on both.")
		return
	}
	d.add("clock", fine, "the clock of "+whose+" agrees", "")
}

func (d *doctor) disk(context.Context) {
	var s unix.Statfs_t
	err := unix.Statfs(d.folder, &s)
	if errors.Is(err, fs.ErrNotExist) && d.DatabaseURL != "" {
		return // no data is kept there
	}
	if err != nil {
		d.say("disk", fail, d.folder+": "+err.Error(), "Set FORECOURT_DATA to the data folder.")
		return
	}
	d.sayDisk(float64(s.Bavail) * float64(s.Bsize))
}

func (d *doctor) sayDisk(free float64) {
	says := fmt.Sprintf("%.1f GB free for %s", free/1e9, d.folder)
	const do = "Make room, or move FORECOURT_DATA to a larger disk: a full one stops payments."
	switch {
	case err != nil:
		d.add("disk", fail, d.folder+": "+err.Error(), "Set FORECOURT_DATA to the data folder.")
	case free < leastDisk:
		d.add("disk", fail, says, do)
	case free < littleDisk:
		d.add("disk", warn, says, do)
	default:
		d.add("disk", fine, says, "")
	}
}

// files looks at the limit of this process, which a service of systemd does not share.
func (d *doctor) files(context.Context) {
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		d.add("open files", warn, err.Error(), "")
		return
	}
	// Go raises the soft limit to the hard one at its start.
	if limit.Max < manyFiles {
		d.add("open files", warn, fmt.Sprintf("at most %d", limit.Max), "Raise it to 65536 (LimitNOFILE of the unit, ulimit -n): each followed page needs one.")
		return
	}
	d.add("open files", fine, fmt.Sprintf("at most %d", limit.Max), "")
}

// readLineOf reads a file of one line. A missing file reads as empty.
func readLineOf(path string) (string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(text)), err
}
