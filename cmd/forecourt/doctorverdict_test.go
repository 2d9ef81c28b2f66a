package main

import (
	"net"
	"strings"
	"testing"
	"time"

	"forecourt/internal/kit/dbtest"
	"forecourt/ops/archive"
)

// says reports whether a finding has a verdict and a text. Whatever is not fine has advice.
func (f finding) is(want verdict, says string) bool {
	return f.Verdict == want && strings.Contains(f.Says, says) && (f.Do == "") == (want == fine)
}

func TestEachVerdictOfTheDoctor(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
	ago := func(d time.Duration) *time.Time {
		at := now.Add(-d)
		return &at
	}
	durable := func(fsync, pages, commit, checksums, autovacuum string) finding {
		return durability{"18.1", fsync, pages, commit, checksums, autovacuum}.judge()
	}
	clock := func(off time.Duration) finding {
		return judgeClock("the gateway", now.Add(off), now, now.Add(time.Second))
	}
	named := func(addresses ...string) finding {
		return judgeDNS("pay.example", addresses, []net.Addr{
			&net.IPNet{IP: net.IPv4(203, 0, 113, 5), Mask: net.CIDRMask(24, 32)},
			&net.IPNet{IP: net.ParseIP("2001:db8::5"), Mask: net.CIDRMask(64, 128)},
		})
	}
	archives := func(a archiving) finding { return a.judge(now) }
	copied := func(at time.Time) finding { return judgeCopies(archive.Copied{At: at}, now) }
	for name, tt := range map[string]struct {
		found finding
		want  verdict
		says  string
	}{
		"a database that keeps what it acknowledges": {
			durable("on", "on", "on", "on", "on"), fine, "PostgreSQL 18.1, fsync and checksums on",
		},
		"one that waits for a standby, too": {durable("on", "on", "remote_apply", "on", "on"), fine, ""},
		"no fsync":                          {durable("off", "on", "on", "on", "on"), fail, "fsync off"},
		"no full pages": {
			durable("on", "off", "on", "on", "on"), fail, "full_page_writes off",
		},
		"a commit that waits for nothing": {
			durable("on", "on", "off", "on", "on"), fail, "synchronous_commit off",
		},
		"no checksums": {
			durable("on", "on", "on", "off", "on"), warn, "PostgreSQL 18.1 runs without page checksums",
		},

		"no autovacuum": {durable("on", "on", "on", "on", "off"), warn, "runs without autovacuum"},

		"a clock that was read in between": {clock(500 * time.Millisecond), fine, "the gateway agrees"},
		"a clock that is a little behind":  {clock(-5 * time.Second), fine, "agrees"},
		"a clock that is behind":           {clock(-6 * time.Second), fail, "differs by -6s"},
		"a clock that is ahead":            {clock(7 * time.Second), fail, "differs by 6s"},

		"room":         {judgeDisk("data", 5e9), fine, "5.0 GB free for data"},
		"little room":  {judgeDisk("data", 4.9e9), warn, "4.9 GB"},
		"just as much": {judgeDisk("data", 500e6), warn, "0.5 GB"},
		"no room":      {judgeDisk("data", 400e6), fail, "0.4 GB"},

		"many files": {judgeFiles(32_768), fine, "at most 32768"},
		"few files":  {judgeFiles(32_767), warn, "at most 32767"},

		"a name of this machine":        {named("2001:db8::5", "203.0.113.5"), fine, "pay.example is at [2001:db8::5 203.0.113.5]"},
		"a name of another one, too":    {named("198.51.100.7", "203.0.113.5"), warn, "this machine does not have [198.51.100.7]"},
		"a name that /etc/hosts has":    {named("127.0.1.1"), fine, ""},
		"a name with IPv6 only":         {named("2001:db8::5"), fine, ""},
		"a name of another one nearby":  {named("203.0.113.6"), warn, "this machine has none of these"},
		"a name of a proxy, IPv4 and 6": {named("198.51.100.7", "2001:db8::6"), warn, "this machine has none of these"},

		"no archive":                  {archives(archiving{mode: "off"}), warn, "is not archived"},
		"an archive that works":       {archives(archiving{last: ago(time.Minute)}), fine, "at 2026-01-31T09:29:00Z"},
		"an archive that works again": {archives(archiving{last: ago(time.Minute), failed: ago(time.Hour)}), fine, ""},
		"an archive that fails": {
			archives(archiving{last: ago(time.Hour), failed: ago(time.Minute)}), fail, "failed at 2026-01-31T09:29:00Z",
		},
		"an archive that has always failed": {archives(archiving{failed: ago(time.Minute)}), fail, "failed"},
		"an archive that has nothing yet":   {archives(archiving{}), warn, "nothing has been archived"},
		"a last file of ten minutes ago":    {archives(archiving{last: ago(10 * time.Minute)}), fine, ""},
		"a last file of weeks ago":          {archives(archiving{last: ago(500 * time.Hour)}), warn, "at 2026-01-10T13:30:00Z"},
		"no copy":                           {copied(time.Time{}), fail, "no copy of this database"},
		"a copy of this day":                {copied(now.Add(-24 * time.Hour)), fine, "the newest copy is of 2026-01-30T09:30:00Z"},
		"a copy that is late by an hour":    {copied(now.Add(-25 * time.Hour)), fine, ""},
		"a copy that is late by more":       {copied(now.Add(-25*time.Hour - time.Second)), warn, "one is due every day"},
		"a gap after a copy of just now":    {judgeCopies(archive.Copied{At: now, Gap: "0000000100000000000000A3"}, now), fail, "part of the log was given up since the copy of 2026-01-31T09:30:00Z"},
		"two copies that were not made":     {copied(now.Add(-49*time.Hour - time.Second)), fail, "one is due every day"},
	} {
		if !tt.found.is(tt.want, tt.says) {
			t.Errorf("%s: %+v, want %s: …%s…", name, tt.found, tt.want, tt.says)
		}
	}
}

func TestTheDoctorComparesTheSchema(t *testing.T) {
	t.Parallel()
	d := &doctor{pool: dbtest.Pool(t)}
	for _, tt := range []struct {
		change string
		want   verdict
		says   string
	}{
		{"SELECT", fine, "up to date"},
		{
			"DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)", warn, "older than this program",
		},
		{"INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)", fail, "newer release"},
	} {
		dbtest.Exec(t, d.pool, tt.change)
		found, err := d.schema(t.Context())
		if err != nil {
			found = failing(err.Error(), "")
		}
		if found.Verdict != tt.want || !strings.Contains(found.Says, tt.says) {
			t.Errorf("%s: %+v", tt.change, found)
		}
	}
}
