package main

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/ops/doctor"
)

// archived returns a shell for a site whose database is archived to a folder, and the file of the key.
func archived(t *testing.T) (d shell, place, key string) {
	t.Helper()
	d, place, key = newShell(t), t.TempDir(), filepath.Join(t.TempDir(), "key")
	lend(t, place)
	_, recipient, _ := strings.Cut(strings.TrimSpace(d.does(0, "archive-key", key)), "=")
	d.values["ARCHIVE_TO"], d.values["ARCHIVE_RECIPIENT"] = place, recipient
	return d, place, key
}

// lend gives a temporary folder to PostgreSQL's user, who is another one if root runs this.
func lend(t *testing.T, place string) {
	t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		account, err = user.Lookup("nobody")
	}
	check.Must(t, err)
	uid, err := strconv.Atoi(account.Uid)
	check.Must(t, errors.Join(err, os.Chown(place, uid, -1), os.Chmod(filepath.Dir(place), 0o711)))
}

// elsewhere returns the shell on an empty machine.
func (s shell) elsewhere() shell {
	s.values = maps.Clone(s.values)
	s.values["FORECOURT_DATA"] = dataFolder(s.t)
	return s
}

// handOver makes PostgreSQL archive its log so far, and waits until that is done.
func (s shell) handOver() {
	s.t.Helper()
	conn := connectInside(s.t, s.values["FORECOURT_DATA"], false)
	segment := dbtest.Value[string](s.t, conn, "SELECT pg_walfile_name(pg_switch_wal())")
	check.Must(s.t, conn.Close(s.t.Context()))
	ready := filepath.Join(s.values["FORECOURT_DATA"], "cluster", "pg_wal", "archive_status", segment+".ready")
	eventually(s.t, segment+" in the archive", func() bool {
		_, err := os.Stat(ready)
		return errors.Is(err, fs.ErrNotExist)
	})
}

// copied waits until the database has a copy in the archive.
func (s shell) copied() {
	s.t.Helper()
	eventually(s.t, "a copy", func() bool {
		_, err := os.Stat(filepath.Join(s.values["FORECOURT_DATA"], "archived-copy"))
		return err == nil
	})
}

// paid makes an order and pays for it, no matter how long the gateway takes.
func paid(c *customer) (id string) {
	c.t.Helper()
	id = c.json(c.order("panezski"), "panezski", "200 202", "pan", approves)
	c.becomes("panezski", id, "success")
	return id
}

// TestTheArchiveRestoresOnAnEmptyMachine restores a folder to a time and a bucket to its end.
func TestTheArchiveRestoresOnAnEmptyMachine(t *testing.T) {
	t.Parallel()
	store := gofakes3.New(s3mem.New(), gofakes3.WithAutoBucket(true)).Server()
	var full atomic.Bool // PostgreSQL archives the rest of its log when it stops
	bucket := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut && full.Load() {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		store.ServeHTTP(w, r)
	}))
	t.Cleanup(bucket.Close)
	for _, name := range []string{"folder", "bucket"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, _, key := archived(t)
			if name == "bucket" {
				d.values["ARCHIVE_TO"] = strings.Replace(bucket.URL, "http:", "s3:", 1) + "/backups/forecourt"
			}
			p := startProcess(t, d.values, "serve")
			c := newCustomer(t, p.address)
			before := paid(c)
			d.copied()
			followed, waits := paid(c), c.order("panezski")
			d.handOver()
			then := time.Now().UTC().Format(time.RFC3339Nano)
			later := paid(c)
			d.handOver()
			full.Store(name == "bucket" || full.Load())
			lost := paid(c)
			p.kill()
			// PostgreSQL still writes while it stops.
			eventually(t, "the folder is gone", func() bool { return os.RemoveAll(d.values["FORECOURT_DATA"]) == nil })
			if name == "folder" {
				d.elsewhere().restores([]string{before, followed}, waits, []string{later, lost}, "--identity", key, "--to", then)
			} else {
				d.elsewhere().restores([]string{before, followed, later}, waits, []string{lost}, "--identity", key)
			}
		})
	}
}

// restores restores the archive on an empty machine and imports the gateway's ledger. Orders in paid have to be paid, waits payable,
// and those in lost named.
func (s shell) restores(paid []string, waits string, lost []string, args ...string) {
	s.t.Helper()
	said := s.does(0, append([]string{"restore"}, args...)...)
	if !strings.Contains(said, "The last restored change was made at 20") || !strings.Contains(said, "Nothing is charged until") {
		s.t.Errorf("it says %q", said)
	}
	// A rehearsal does not change the archive.
	s.values["ARCHIVE_TO"] = ""
	p := start(s.t, s.values, "serve")
	c := newCustomer(s.t, p.ready())
	c.json(waits, "panezski", "503", "pan", approves)
	said = s.does(0, "reconcile", "--import")
	for _, id := range paid {
		c.becomes("panezski", id, "success")
	}
	for _, id := range lost {
		check.Contains(s.t, said, "there is no transaction "+id+" here", "%s is lost but not named", id)
	}
	check.Equal(s.t, strings.Count(said, "there is no transaction "), len(lost), "payments are lost: %s", said)
	check.Equal(s.t, p.end(), 0, "stopped with: %s", p.stderr)
}

// TestARestoreGoesOnInTheSameArchive restores a backup although the archive holds what came after it, and then the archive, which by
// now has two timelines.
func TestARestoreGoesOnInTheSameArchive(t *testing.T) {
	t.Parallel()
	d, place, key := archived(t)
	p := startProcess(t, d.values, "serve")
	d.copied()
	file := filepath.Join(t.TempDir(), "backup")
	d.does(0, "backup", file)
	paid(newCustomer(t, p.address)) // which the archive holds, and the backup does not
	d.handOver()
	p.kill()
	for _, args := range [][]string{{"restore", file}, {"restore", "--identity", key}, {"restore", file}} {
		d = d.elsewhere()
		d.does(0, args...)
		p = startProcess(t, d.values, "serve")
		d.copied()
		d.handOver()
		// Payments are closed.
		if found := examine(d, 1); found["copies"].Verdict != doctor.Fine || found["archive"].Verdict != doctor.Fine {
			t.Errorf("%v: %+v", args, found)
		}
		p.kill()
	}
	timelines, err := filepath.Glob(filepath.Join(place, "*", "*", "base", "*"))
	if err != nil || len(timelines) != 4 {
		t.Errorf("the copies are %v, %v; want one for each timeline", timelines, err)
	}
}

func TestAnIncompleteArchiveIsRefused(t *testing.T) {
	t.Parallel()
	d, place, key := archived(t)
	p := start(t, d.values, "serve")
	c := newCustomer(t, p.ready())
	d.copied()
	for range 3 {
		c.order("panezski")
		d.handOver()
	}
	check.MustEqual(t, p.end(), 0, "stopped with: %s", p.stderr)
	one := func(pattern string, fromEnd int) string {
		names, err := filepath.Glob(filepath.Join(place, "*", "*", pattern))
		if err != nil || len(names) < fromEnd {
			t.Fatalf("%v, %v", names, err)
		}
		slices.Sort(names)
		return names[len(names)-fromEnd]
	}
	copied, middle := one("base/*", 1), one("wal/????????????????????????.zst.age", 2)
	change := func(name string, how func([]byte) []byte) func() {
		content, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(name, how(bytes.Clone(content)), 0o600)
		}
		check.Must(t, err)
		return func() { _ = os.WriteFile(name, content, 0o600) }
	}
	flip := func(content []byte) []byte { content[len(content)/2] ^= 1; return content }
	hide := func(name string) func() {
		check.Must(t, os.Rename(name, place+"/hidden"))
		return func() { _ = os.Rename(place+"/hidden", name) }
	}
	other := filepath.Join(t.TempDir(), "other")
	d.does(0, "archive-key", other)
	for _, tt := range []struct {
		name   string
		breaks func() func()
		args   []string
		says   string
	}{
		{"a flipped bit in the copy", func() func() { return change(copied, flip) }, nil, filepath.Base(copied) + ": it is damaged"},
		{"a flipped bit in the log", func() func() { return change(middle, flip) }, nil, filepath.Base(middle) + ": it is damaged"},
		{"a part of the log that is missing", func() func() { return hide(middle) }, nil,
			"the archive has a gap: " + strings.TrimSuffix(filepath.Base(middle), ".zst.age")},
		{"another key", func() func() { return func() {} }, []string{"--identity", other}, "sealed to another recipient"},
	} {
		mend := tt.breaks()
		here := d.elsewhere()
		said := here.does(1, append([]string{"restore", "--identity", key}, tt.args...)...)
		if strings.Count(said, "\n") != 1 || !strings.Contains(said, tt.says) {
			t.Errorf("%s: it says %q", tt.name, said)
		}
		_, err := os.Stat(filepath.Join(here.values["FORECOURT_DATA"], "cluster"))
		check.Error(t, err, "%s: it left a database", tt.name)
		mend()
	}
	// A time after the last change restores to the end.
	d.elsewhere().does(0, "restore", "--identity", key, "--to", time.Now().Add(time.Hour).UTC().Format(time.RFC3339))
	d.elsewhere().says(2, "--identity is required", "restore")
}

// TestPostgreSQLLearnsOnlyHowToPut reads what PostgreSQL's user can: with it, nothing can be opened.
func TestPostgreSQLLearnsOnlyHowToPut(t *testing.T) {
	t.Parallel()
	d, _, key := archived(t)
	secret, err := os.ReadFile(filepath.Join(d.values["FORECOURT_DATA"], "secret"))
	check.Must(t, err)
	d.values["FORECOURT_SECRET"], d.values["AWS_ACCESS_KEY_ID"] = strings.TrimSpace(string(secret)), "CANARY-ID"
	startProcess(t, d.values, "serve")
	pid, err := os.ReadFile(filepath.Join(d.values["FORECOURT_DATA"], "cluster", "postmaster.pid"))
	check.Must(t, err)
	first, _, _ := strings.Cut(string(pid), "\n")
	line, err := os.ReadFile("/proc/" + first + "/cmdline")
	if err != nil || !bytes.Contains(line, []byte(d.values["ARCHIVE_RECIPIENT"]+"' %p")) || bytes.Contains(line, []byte("CANARY-ID")) {
		t.Errorf("PostgreSQL runs as %q, %v", line, err)
	}
	environment, err := os.ReadFile("/proc/" + first + "/environ")
	check.Must(t, err)
	known := []string{"PATH", "LC_ALL", "TZ", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "SSL_CERT_FILE", "SSL_CERT_DIR"}
	for one := range strings.SplitSeq(strings.TrimRight(string(environment), "\x00"), "\x00") {
		name, _, _ := strings.Cut(one, "=")
		if !slices.Contains(known, name) &&
			!strings.HasSuffix(strings.ToUpper(name), "_PROXY") {
			t.Errorf("its environment has %s", name)
		}
	}
	text, err := os.ReadFile(key)
	check.Must(t, err)
	if all, err := age.ParseIdentities(bytes.NewReader(text)); err != nil || len(all) != 1 {
		t.Errorf("age cannot read the key: %v", err)
	}
	if info, err := os.Stat(key); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the key's mode: %v, %v", info, err)
	}
	d.says(1, "file exists", "archive-key", key)
}
