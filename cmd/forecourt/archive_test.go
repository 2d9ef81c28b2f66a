package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"forecourt/db/embedded"
	"forecourt/internal/archive"
)

var archiveKey = strings.Repeat("archive!", 4)

// archived returns a drill whose database is archived to a folder.
func archived(t *testing.T) (d drill, place string) {
	t.Helper()
	d, place = newDrill(t), t.TempDir()
	d.values["FORECOURT_ARCHIVE"], d.values["FORECOURT_ARCHIVE_KEY"] = place, archiveKey
	return d, place
}

// elsewhere returns the drill on an empty machine.
func (d drill) elsewhere() drill {
	d.values = maps.Clone(d.values)
	d.values["FORECOURT_DATA"] = dataFolder(d.t)
	return d
}

// copies waits until the archive has n copies of the whole database.
func (d drill) copies(n int) []archive.Base {
	d.t.Helper()
	c, err := readConfig(from(d.values))
	if err != nil {
		d.t.Fatal(err)
	}
	a := c.openArchive(d.t.TempDir())
	var bases []archive.Base
	eventually(d.t, fmt.Sprintf("%d copies", n), func() bool {
		var err error
		bases, err = a.Bases(d.t.Context())
		return err == nil && len(bases) >= n
	})
	return bases
}

// handOver makes PostgreSQL archive its log so far, and waits until that is done.
func (d drill) handOver() {
	d.t.Helper()
	dsn, err := embedded.Attach(d.values["FORECOURT_DATA"], embedded.Database)
	if err != nil {
		d.t.Fatal(err)
	}
	conn, err := pgx.Connect(d.t.Context(), dsn)
	if err != nil {
		d.t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(d.t.Context())) }()
	var segment string
	if err := conn.QueryRow(d.t.Context(), "SELECT pg_walfile_name(pg_switch_wal())").Scan(&segment); err != nil {
		d.t.Fatal(err)
	}
	eventually(d.t, segment+" in the archive", func() (done bool) {
		err := conn.QueryRow(d.t.Context(), "SELECT coalesce(last_archived_wal >= $1, false) FROM pg_stat_archiver", segment).Scan(&done)
		if err != nil {
			d.t.Fatal(err)
		}
		return done
	})
}

// paid makes an order and pays for it, no matter how long the gateway takes.
func paid(c *customer) (id string) {
	c.t.Helper()
	id = c.json(c.order("panezski"), "panezski", "200 202", "pan", approves)
	c.becomes("panezski", id, "success")
	return id
}

// TestTheArchiveRestoresOnAnEmptyMachine restores a folder to a time and a bucket to its end; make test-long does both with both.
func TestTheArchiveRestoresOnAnEmptyMachine(t *testing.T) {
	t.Parallel()
	bucket := httptest.NewServer(gofakes3.New(s3mem.New(), gofakes3.WithAutoBucket(true)).Server())
	t.Cleanup(bucket.Close)
	for name, settings := range map[string]map[string]string{
		"folder": {"FORECOURT_ARCHIVE": t.TempDir()},
		"bucket": {
			"FORECOURT_ARCHIVE": strings.Replace(bucket.URL, "http:", "s3:", 1) + "/backups/forecourt",
			"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "bucket-password",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDrill(t)
			d.values["FORECOURT_ARCHIVE_KEY"] = archiveKey
			maps.Copy(d.values, settings)
			p := startProcess(t, d.values, "serve")
			c := newCustomer(t, p.address)
			before := paid(c)
			d.copies(1)
			followed, waits := paid(c), c.order("panezski")
			d.handOver()
			then := time.Now().UTC().Format(time.RFC3339Nano)
			later := paid(c)
			d.handOver()
			lost := paid(c)
			p.kill()
			eventually(t, "the folder is gone", func() bool { return os.RemoveAll(d.values["FORECOURT_DATA"]) == nil }) // PostgreSQL still writes while it stops
			if text := p.stderr.String(); strings.Contains(text, archiveKey) || strings.Contains(text, "bucket-password") {
				t.Errorf("a key is in the log: %s", text)
			}

			if name == "folder" || thorough {
				d.elsewhere().restores([]string{before, followed}, waits, []string{later, lost}, "--to", then)
			}
			if name == "bucket" || thorough {
				d.elsewhere().restores([]string{before, followed, later}, waits, []string{lost})
			}
		})
	}
}

// TestARestoredBackupGoesOnInTheSameArchive restores a backup although the archive holds what came after it.
func TestARestoredBackupGoesOnInTheSameArchive(t *testing.T) {
	t.Parallel()
	d, place := archived(t)
	p := startProcess(t, d.values, "serve")
	d.copies(1)
	file := filepath.Join(t.TempDir(), "backup")
	d.does(0, "backup", file)
	rehearsal := d.elsewhere()
	rehearsal.values["FORECOURT_ARCHIVE"] = ""
	rehearsal.does(0, "restore", file)
	rehearsal.values["FORECOURT_ARCHIVE"] = place // by mistake
	rehearsal.does(0, "migrate")
	paid(newCustomer(t, p.address)) // which the archive holds, and the backup does not
	d.handOver()
	p.kill()
	if text := p.stderr.String(); strings.Contains(text, "the archive cannot be written") {
		t.Errorf("after the rehearsal the log says: %s", text)
	}
	again := d.elsewhere()
	again.does(0, "restore", file)
	p = startProcess(t, again.values, "serve")
	bases := again.copies(2)
	if old, restored := bases[0].First[:8], bases[1].First[:8]; old >= restored {
		t.Errorf("the restored database is on timeline %s, and the archive has one of %s", restored, old)
	}
	again.handOver()
	if found := examine(again, 0)["copies"]; found.Verdict != fine {
		t.Errorf("copies: %+v", found)
	}
	if text := p.stderr.String(); strings.Contains(text, "the archive cannot be written") {
		t.Errorf("the log says: %s", text)
	}
}

// restores restores the archive on an empty machine and imports the gateway's ledger. Orders in paid have to be paid, waits payable,
// and those in lost named.
func (d drill) restores(paid []string, waits string, lost []string, args ...string) {
	d.t.Helper()
	if said := d.does(0, append([]string{"restore"}, args...)...); !strings.Contains(said, "The last restored change was made at 20") || !strings.Contains(said, "Nothing is charged until") {
		d.t.Errorf("it says %q", said)
	}
	// A rehearsal does not change the archive.
	d.values["FORECOURT_ARCHIVE"] = ""
	p := start(d.t, d.values, "serve")
	c := newCustomer(d.t, p.ready())
	c.json(waits, "panezski", "503", "pan", approves)
	said := d.does(0, "reconcile", "--import")
	for _, id := range paid {
		c.becomes("panezski", id, "success")
	}
	for _, id := range lost {
		if !strings.Contains(said, id+"  there is no such transaction") {
			d.t.Errorf("%s is lost but not named: %s", id, said)
		}
	}
	if n := strings.Count(said, "  there is no such transaction"); n != len(lost) {
		d.t.Errorf("%d payments are lost, want %d: %s", n, len(lost), said)
	}
	if code := p.end(); code != 0 {
		d.t.Errorf("stopped with %d: %s", code, p.stderr)
	}
}

func TestAnIncompleteArchiveIsRefused(t *testing.T) {
	t.Parallel()
	d, place := archived(t)
	p := start(t, d.values, "serve")
	c := newCustomer(t, p.ready())
	base := d.copies(1)[0]
	for range 3 {
		c.order("panezski")
		d.handOver()
	}
	if code := p.end(); code != 0 {
		t.Fatalf("stopped with %d: %s", code, p.stderr)
	}
	segments, err := filepath.Glob(filepath.Join(place, "wal", "????????????????????????.age"))
	if err != nil || len(segments) < 4 {
		t.Fatalf("%d segments, %v", len(segments), err)
	}
	slices.Sort(segments)
	middle, copied := segments[len(segments)-2], filepath.Join(place, base.Name)
	change := func(name string, how func(content []byte) []byte) func() {
		content, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(name, how(bytes.Clone(content)), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		return func() {
			if err := os.WriteFile(name, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	flip := func(name string) func() {
		return change(name, func(content []byte) []byte { content[len(content)/2] ^= 1; return content })
	}
	cut := func(name string) func() {
		return change(name, func(content []byte) []byte { return content[:len(content)-10] })
	}
	mistake := func(name, other string) func() {
		return change(name, func([]byte) []byte {
			content, err := os.ReadFile(other)
			if err != nil {
				t.Fatal(err)
			}
			return content
		})
	}
	hide := func(name string) func() {
		if err := os.Rename(name, place+"/hidden"); err != nil {
			t.Fatal(err)
		}
		return func() {
			if err := os.Rename(place+"/hidden", name); err != nil {
				t.Fatal(err)
			}
		}
	}
	none := func() func() { return func() {} }
	type damage struct {
		name   string
		breaks func() func()
		key    string
		args   []string
		says   string
	}
	damages := []damage{
		{"a flipped bit in the copy", func() func() { return flip(copied) }, archiveKey, nil, base.Name + " in the archive: it is damaged"},
		{"a flipped bit in the log", func() func() { return flip(middle) }, archiveKey, nil, filepath.Base(middle) + " in the archive: it is damaged"},
		{"another part of the log under its name", func() func() { return mistake(middle, segments[len(segments)-3]) }, archiveKey, nil, "it was stored under another name"},
		{"a part of the log that is missing", func() func() { return hide(middle) }, archiveKey, nil, "the archive has a gap: " + strings.TrimSuffix(filepath.Base(middle), ".age")},
		{"no copy", func() func() { return hide(copied) }, archiveKey, nil, "there is no copy of a database"},
		{"another key", none, strings.Repeat("other!!!", 4), nil, "FORECOURT_ARCHIVE_KEY is not the key"},
		{"a time before the first copy", none, archiveKey, []string{"--to", "2025-01-31T09:30:00Z"}, "does not reach back that far: its oldest copy is of 20"},
	}
	if thorough {
		damages = append(damages,
			damage{"a truncated copy", func() func() { return cut(copied) }, archiveKey, nil, base.Name + " in the archive: it is damaged"},
			damage{"a truncated part of the log", func() func() { return cut(middle) }, archiveKey, nil, filepath.Base(middle) + " in the archive: it is damaged"})
	}
	for _, tt := range damages {
		mend := tt.breaks()
		here := d.elsewhere()
		here.values["FORECOURT_ARCHIVE_KEY"] = tt.key
		if said := here.does(1, append([]string{"restore"}, tt.args...)...); strings.Count(said, "\n") != 1 || !strings.Contains(said, tt.says) {
			t.Errorf("%s: it says %q", tt.name, said)
		}
		if left, err := filepath.Glob(filepath.Join(here.values["FORECOURT_DATA"], "*")); err != nil || slices.Contains(left, filepath.Join(here.values["FORECOURT_DATA"], "cluster")) {
			t.Errorf("%s: it left %v, %v", tt.name, left, err)
		}
		mend()
	}
	// A time after the last change restores to the end, even if somebody adds a newer name: the copy before it leads there, too.
	added := filepath.Join(place, "base", time.Now().Add(time.Minute).UTC().Format("20060102T150405.000Z")+"-00000FFF0FFFFFFF000000FF.age")
	if err := os.WriteFile(added, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	said := d.elsewhere().does(0, "restore", "--to", time.Now().Add(time.Hour).UTC().Format(time.RFC3339))
	if !strings.Contains(said, filepath.Base(added)) || !strings.Contains(said, "used an older copy") {
		t.Errorf("with a newer copy that is empty: it says %q", said)
	}

	// A damaged file after a gap may be somebody else's, so the restore ends at the gap, and says so.
	last := segments[len(segments)-1]
	unhide, unflip := hide(middle), flip(last)
	said = d.elsewhere().does(0, "restore")
	if !strings.Contains(said, "the log ends before files of it that cannot be used (1)") || !strings.Contains(said, filepath.Base(last)) {
		t.Errorf("with a gap before a damaged part of the log: it says %q", said)
	}
	unhide()
	unflip()

	// A machine that is empty, although it should have been restored, must not write to the archive. Nor must one with another key.
	for says, change := range map[string]map[string]string{
		"the archive holds another database":   {"FORECOURT_DATA": dataFolder(t)},
		"FORECOURT_ARCHIVE_KEY is not the key": {"FORECOURT_ARCHIVE_KEY": strings.Repeat("other!!!", 4)},
	} {
		other := drill{t, maps.Clone(d.values)}
		maps.Copy(other.values, change)
		if said := other.does(2, "serve"); !strings.Contains(said, says) {
			t.Errorf("serve says %q", said)
		}
	}
}

func TestNoKeyOfTheArchiveIsInAProcessList(t *testing.T) {
	t.Parallel()
	d, _ := archived(t)
	startProcess(t, d.values, "serve")
	pid, err := os.ReadFile(filepath.Join(d.values["FORECOURT_DATA"], "cluster", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(pid), "\n")
	line, err := os.ReadFile("/proc/" + first + "/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(line, []byte("archive_command=")) || bytes.Contains(line, []byte(archiveKey)) {
		t.Errorf("PostgreSQL runs as %q", line)
	}
	environment, err := os.ReadFile("/proc/" + first + "/environ")
	if err != nil || bytes.Contains(environment, []byte(archiveKey)) {
		t.Errorf("its environment holds the key: %v", err)
	}
}
