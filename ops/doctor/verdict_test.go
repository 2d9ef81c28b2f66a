package doctor

import (
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"forecourt/internal/kit/dbtest"
	"forecourt/ops/archive"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// is reports whether a finding has a verdict and a text. Whatever is not fine has advice.
func (f Finding) is(want Verdict, says string) bool {
	return f.Verdict == want && strings.Contains(f.Says, says) && (f.Do == "") == (want == Fine)
}

func TestEachVerdictOfTheDoctor(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
	ago := func(d time.Duration) *time.Time {
		at := now.Add(-d)
		return &at
	}
	durable := func(fsync, pages, commit, checksums, autovacuum string) Finding {
		return durability{"18.1", fsync, pages, commit, checksums, autovacuum}.judge()
	}
	clock := func(off time.Duration) Finding {
		return judgeClock("the gateway", now.Add(off), now, now.Add(time.Second))
	}
	named := func(addresses ...string) Finding {
		return judgeDNS("pay.example", addresses, []net.Addr{
			&net.IPNet{IP: net.IPv4(203, 0, 113, 5), Mask: net.CIDRMask(24, 32)},
			&net.IPNet{IP: net.ParseIP("2001:db8::5"), Mask: net.CIDRMask(64, 128)},
		})
	}
	archives := func(a archiving) Finding { return a.judge(now) }
	copied := func(at time.Time) Finding { return judgeCopies(archive.Copied{At: at}, now) }
	for name, tt := range map[string]struct {
		found Finding
		want  Verdict
		says  string
	}{
		"a database that keeps what it acknowledges": {
			durable("on", "on", "on", "on", "on"), Fine, "PostgreSQL 18.1, fsync and checksums on",
		},
		"one that waits for a standby, too": {durable("on", "on", "remote_apply", "on", "on"), Fine, ""},
		"no fsync":                          {durable("off", "on", "on", "on", "on"), Fail, "fsync off"},
		"no full pages": {
			durable("on", "off", "on", "on", "on"), Fail, "full_page_writes off",
		},
		"a commit that waits for nothing": {
			durable("on", "on", "off", "on", "on"), Fail, "synchronous_commit off",
		},
		"no checksums": {
			durable("on", "on", "on", "off", "on"), Warn, "PostgreSQL 18.1 runs without page checksums",
		},

		"no autovacuum": {durable("on", "on", "on", "on", "off"), Warn, "runs without autovacuum"},

		"a clock that was read in between": {clock(500 * time.Millisecond), Fine, "the gateway agrees"},
		"a clock that is a little behind":  {clock(-5 * time.Second), Fine, "agrees"},
		"a clock that is behind":           {clock(-6 * time.Second), Fail, "differs by -6s"},
		"a clock that is ahead":            {clock(7 * time.Second), Fail, "differs by 6s"},

		"room":         {judgeDisk("data", 5e9), Fine, "5.0 GB free for data"},
		"little room":  {judgeDisk("data", 4.9e9), Warn, "4.9 GB"},
		"just as much": {judgeDisk("data", 500e6), Warn, "0.5 GB"},
		"no room":      {judgeDisk("data", 400e6), Fail, "0.4 GB"},

		"many files": {judgeFiles(32_768), Fine, "at most 32768"},
		"few files":  {judgeFiles(32_767), Warn, "at most 32767"},

		"a name of this machine":        {named("2001:db8::5", "203.0.113.5"), Fine, "pay.example is at [2001:db8::5 203.0.113.5]"},
		"a name of another one, too":    {named("198.51.100.7", "203.0.113.5"), Warn, "this machine does not have [198.51.100.7]"},
		"a name that /etc/hosts has":    {named("127.0.1.1"), Fine, ""},
		"a name with IPv6 only":         {named("2001:db8::5"), Fine, ""},
		"a name of another one nearby":  {named("203.0.113.6"), Warn, "this machine has none of these"},
		"a name of a proxy, IPv4 and 6": {named("198.51.100.7", "2001:db8::6"), Warn, "this machine has none of these"},

		"no archive":                  {archives(archiving{mode: "off"}), Warn, "is not archived"},
		"an archive that works":       {archives(archiving{last: ago(time.Minute)}), Fine, "at 2026-01-31T09:29:00Z"},
		"an archive that works again": {archives(archiving{last: ago(time.Minute), failed: ago(time.Hour)}), Fine, ""},
		"an archive that fails": {
			archives(archiving{last: ago(time.Hour), failed: ago(time.Minute)}), Fail, "failed at 2026-01-31T09:29:00Z",
		},
		"an archive that has always failed": {archives(archiving{failed: ago(time.Minute)}), Fail, "failed"},
		"an archive that has nothing yet":   {archives(archiving{}), Warn, "nothing has been archived"},
		"a last file of ten minutes ago":    {archives(archiving{last: ago(10 * time.Minute)}), Fine, ""},
		"a last file of weeks ago":          {archives(archiving{last: ago(500 * time.Hour)}), Warn, "at 2026-01-10T13:30:00Z"},
		"no copy":                           {copied(time.Time{}), Fail, "no copy of this database"},
		"a copy of this day":                {copied(now.Add(-24 * time.Hour)), Fine, "the newest copy is of 2026-01-30T09:30:00Z"},
		"a copy that is late by an hour":    {copied(now.Add(-25 * time.Hour)), Fine, ""},
		"a copy that is late by more":       {copied(now.Add(-25*time.Hour - time.Second)), Warn, "one is due every day"},
		"a gap after a copy of just now":    {judgeCopies(archive.Copied{At: now, Gap: "0000000100000000000000A3"}, now), Fail, "part of the log was given up since the copy of 2026-01-31T09:30:00Z"},
		"two copies that were not made":     {copied(now.Add(-49*time.Hour - time.Second)), Fail, "one is due every day"},
	} {
		if !tt.found.is(tt.want, tt.says) {
			t.Errorf("%s: %+v, want %s: …%s…", name, tt.found, tt.want, tt.says)
		}
	}
}

func TestTheDoctorComparesTheSchema(t *testing.T) {
	t.Parallel()
	d := &Doctor{Site: Site{Pool: dbtest.Pool(t)}}
	for _, tt := range []struct {
		change string
		want   Verdict
		says   string
	}{
		{"SELECT", Fine, "up to date"},
		{
			"DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)", Warn, "older than this program",
		},
		{"INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)", Fail, "newer release"},
	} {
		dbtest.Exec(t, d.Pool, tt.change)
		found, err := d.schema(t.Context())
		if err != nil {
			found = Failing(err.Error(), "")
		}
		if found.Verdict != tt.want || !strings.Contains(found.Says, tt.says) {
			t.Errorf("%s: %+v", tt.change, found)
		}
	}
}

func TestTheDoctorCountsPasskeysOfAnotherName(t *testing.T) {
	t.Parallel()
	d := &Doctor{Site: Site{Pool: dbtest.Pool(t), URL: &url.URL{Scheme: "https", Host: "pay.invalid"}}}
	for _, tt := range []struct {
		change string
		want   Verdict
		says   string
	}{
		{
			`INSERT INTO account (id, email, name, password_hash) VALUES ('00000000-0000-0000-0000-000000000001', 'ann@example.com', '', '')`,
			Fine, "all belong to pay.invalid",
		},
		{`INSERT INTO passkey (id, account_id, credential_id, public_key, rp_id, name, flags, sign_count, transports)
			SELECT gen_random_uuid(), id, '\x0102030405060708090a0b0c0d0e0f10', '\x01', 'before.invalid', 'Phone', 5, 1, '{}'
			FROM account WHERE email = 'ann@example.com'`,
			Warn, "1 belong to another name than pay.invalid"},
		{"UPDATE account SET staff = true WHERE email = 'ann@example.com'", Fail, "1 people cannot sign in"},
		{"UPDATE passkey SET rp_id = 'pay.invalid'", Fine, "all belong"},
	} {
		dbtest.Exec(t, d.Pool, tt.change)
		if got, err := d.passkeys(t.Context()); err != nil || !got.is(tt.want, tt.says) {
			t.Errorf("after %s: %+v, %v", tt.change, got, err)
		}
	}
}
