package main

import (
	"net"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"forecourt/internal/archive"
	"forecourt/internal/dbtest"
)

// wantFinding compares the only finding of a doctor. Whatever is not fine has advice.
func wantFinding(t *testing.T, d *doctor, check string, want verdict, says string) {
	t.Helper()
	if len(d.findings) != 1 {
		t.Fatalf("%+v", d.findings)
	}
	if got := d.findings[0]; got.Check != check || got.Verdict != want ||
		!strings.Contains(got.Says, says) || (got.Do == "") != (want == fine) {
		t.Errorf("%+v, want %s %s: …%s…", got, want, check, says)
	}
}

func TestEachVerdictOfTheDoctor(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
	ago := func(d time.Duration) *time.Time {
		at := now.Add(-d)
		return &at
	}
	durable := func(s durability) func(*doctor) { return func(d *doctor) { d.sayDurability(s) } }
	tuned := func(autovacuum string) func(*doctor) {
		return func(d *doctor) { d.sayTuning([]string{"autovacuum " + autovacuum}, autovacuum) }
	}
	clock := func(off time.Duration) func(*doctor) {
		return func(d *doctor) { d.sayClock("the gateway", now.Add(off), now, now.Add(time.Second)) }
	}
	free := func(bytes float64) func(*doctor) { return func(d *doctor) { d.sayDisk(bytes) } }
	open := func(most uint64) func(*doctor) { return func(d *doctor) { d.sayFiles(most) } }
	named := func(addresses ...string) func(*doctor) {
		own := []net.Addr{
			&net.IPNet{IP: net.IPv4(203, 0, 113, 5), Mask: net.CIDRMask(24, 32)},
			&net.IPNet{IP: net.ParseIP("2001:db8::5"), Mask: net.CIDRMask(64, 128)},
		}
		return func(d *doctor) { d.sayDNS("pay.example", addresses, own) }
	}
	archives := func(a archiving) func(*doctor) {
		if a.mode == "" {
			a.mode = "on"
		}
		return func(d *doctor) { d.sayArchived(a, now) }
	}
	copied := func(at time.Time) func(*doctor) {
		return func(d *doctor) { d.sayCopies(archive.Copied{At: at}, now) }
	}
	gap := func(d *doctor) { d.sayCopies(archive.Copied{At: now, Gap: "0000000100000000000000A3"}, now) }
	place := func(needed, free uint64, flags int64) func(*doctor) {
		return func(d *doctor) {
			d.add("restore", fine, "room", "")
			if err := fitToRestore("/tmp", unix.Statfs_t{Bsize: 1, Bavail: free, Flags: flags}, needed); err != nil {
				d.findings = nil
				d.add("restore", fail, err.Error(), "Set TMPDIR.")
			}
		}
	}

	for name, tt := range map[string]struct {
		look  func(*doctor)
		check string
		want  verdict
		says  string
	}{
		"a database that keeps what it acknowledges": {
			durable(durability{"18.1", "on", "on", "on", "on"}), "durability", fine, "PostgreSQL 18.1, fsync and checksums on",
		},
		"one that waits for a standby, too": {durable(durability{"18.1", "on", "on", "remote_apply", "on"}), "durability", fine, ""},
		"no fsync":                          {durable(durability{"18.1", "off", "on", "on", "on"}), "durability", fail, "fsync off"},
		"no full pages": {
			durable(durability{"18.1", "on", "off", "on", "on"}), "durability", fail, "full_page_writes off",
		},
		"a commit that waits for nothing": {
			durable(durability{"18.1", "on", "on", "off", "on"}), "durability", fail, "synchronous_commit off",
		},
		"no checksums": {
			durable(durability{"14.2", "on", "on", "on", "off"}), "durability", warn, "PostgreSQL 14.2 runs without page checksums",
		},

		"autovacuum":    {tuned("on"), "tuning", fine, "autovacuum on"},
		"no autovacuum": {tuned("off"), "tuning", warn, "autovacuum off"},

		"a clock that was read in between": {clock(500 * time.Millisecond), "clock", fine, "the gateway agrees"},
		"a clock that is a little behind":  {clock(-5 * time.Second), "clock", fine, "agrees"},
		"a clock that is behind":           {clock(-6 * time.Second), "clock", fail, "differs by -6s"},
		"a clock that is ahead":            {clock(7 * time.Second), "clock", fail, "differs by 6s"},

		"room":         {free(5e9), "disk", fine, "5.0 GB free for data"},
		"little room":  {free(4.9e9), "disk", warn, "4.9 GB"},
		"just as much": {free(500e6), "disk", warn, "0.5 GB"},
		"no room":      {free(400e6), "disk", fail, "0.4 GB"},

		"room for a restore":       {place(2e9, 2.5e9, unix.MS_NOSUID), "restore", fine, "room"},
		"too little for a restore": {place(2e9, 2.5e9-1, 0), "restore", fail, "2.5 GB are free in /tmp, and a restore may need 2.5 GB"},
		"no program may run there": {place(2e9, 9e9, unix.MS_NOSUID|unix.MS_NOEXEC), "restore", fail, "/tmp is mounted with noexec"},

		"many files": {open(32_768), "open files", fine, "at most 32768"},
		"few files":  {open(32_767), "open files", warn, "at most 32767"},

		"a name of this machine":        {named("2001:db8::5", "203.0.113.5"), "dns", fine, "pay.example is at [2001:db8::5 203.0.113.5]"},
		"a name of another one, too":    {named("198.51.100.7", "203.0.113.5"), "dns", warn, "this machine does not have [198.51.100.7]"},
		"a name that /etc/hosts has":    {named("127.0.1.1"), "dns", fine, ""},
		"a name with IPv6 only":         {named("2001:db8::5"), "dns", fine, ""},
		"a name of another one nearby":  {named("203.0.113.6"), "dns", warn, "this machine has none of these"},
		"a name of a proxy, IPv4 and 6": {named("198.51.100.7", "2001:db8::6"), "dns", warn, "this machine has none of these"},

		"no archive":                  {archives(archiving{mode: "off"}), "archive", warn, "is not archived"},
		"an archive that works":       {archives(archiving{last: ago(time.Minute)}), "archive", fine, "at 2026-01-31T09:29:00Z"},
		"an archive that works again": {archives(archiving{last: ago(time.Minute), failed: ago(time.Hour)}), "archive", fine, ""},
		"an archive that fails": {
			archives(archiving{last: ago(time.Hour), failed: ago(time.Minute)}), "archive", fail, "failed at 2026-01-31T09:29:00Z",
		},
		"an archive that has always failed": {archives(archiving{failed: ago(time.Minute)}), "archive", fail, "failed"},
		"an archive that has nothing yet":   {archives(archiving{}), "archive", warn, "nothing has been archived"},
		"a last file of ten minutes ago":    {archives(archiving{last: ago(10 * time.Minute)}), "archive", fine, ""},
		"a last file of weeks ago":          {archives(archiving{last: ago(500 * time.Hour)}), "archive", warn, "at 2026-01-10T13:30:00Z"},
		"no copy":                           {copied(time.Time{}), "copies", fail, "no copy of this database"},
		"a copy of this day":                {copied(now.Add(-24 * time.Hour)), "copies", fine, "the newest copy is of 2026-01-30T09:30:00Z"},
		"a copy that is late by an hour":    {copied(now.Add(-25 * time.Hour)), "copies", fine, ""},
		"a copy that is late by more":       {copied(now.Add(-25*time.Hour - time.Second)), "copies", warn, "one is due every day"},
		"a gap after a copy of just now":    {gap, "copies", fail, "part of the log was given up since the copy of 2026-01-31T09:30:00Z"},
		"two copies that were not made":     {copied(now.Add(-49*time.Hour - time.Second)), "copies", fail, "one is due every day"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &doctor{folder: "data"}
			tt.look(d)
			wantFinding(t, d, tt.check, tt.want, tt.says)
		})
	}
}

func TestTheDoctorComparesTheSchema(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change string
		want   verdict
		says   string
	}{
		"this release's": {"SELECT", fine, "up to date"},
		"an older one": {
			"DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)", warn, "older than this program",
		},
		"a newer one": {"INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)", fail, "newer release"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &doctor{pool: dbtest.Pool(t)}
			dbtest.Exec(t, d.pool, tt.change)
			d.database(t.Context())
			found := d.findings[len(d.findings)-1]
			if found.Check != "schema" || found.Verdict != tt.want || !strings.Contains(found.Says, tt.says) {
				t.Errorf("%+v", d.findings)
			}
		})
	}
}
