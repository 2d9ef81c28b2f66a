package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sys/unix"

	"forecourt/db/embedded"
	"forecourt/internal/dbtest"
)

// TestTheDoctorLooksAtTheArchive looks at a site that has an archive and no backup, and again once the archive's only copy is lost.
func TestTheDoctorLooksAtTheArchive(t *testing.T) {
	t.Parallel()
	d, place := archived(t)
	p := start(t, d.values, "serve")
	c := newCustomer(t, p.ready())
	base := d.copies(1)[0]
	paid(c) // which the copy does not hold
	d.handOver()
	dsn, err := embedded.Attach(d.values["FORECOURT_DATA"], embedded.Database)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	var transactions int
	if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM transaction").Scan(&transactions); err != nil {
		t.Fatal(err)
	}

	found := examine(d, 0, "--restore")
	for check, says := range map[string]string{
		"archive": "the last file was archived at 20", "copies": "the newest copy is of 20", "restore": place + " was restored up to 20",
	} {
		if got := found[check]; got.Verdict != fine || !strings.HasPrefix(got.Says, says) {
			t.Errorf("%s: %+v", check, got)
		}
	}
	if got := found["restore"]; !strings.HasSuffix(got.Says, fmt.Sprintf(" and read: %d transactions", transactions)) {
		t.Errorf("%d transactions were archived: %+v", transactions, got)
	}
	if got, ok := found["backup"]; ok {
		t.Errorf("a site with an archive needs no backup: %+v", got)
	}

	var last string
	if err := conn.QueryRow(t.Context(), "SELECT last_archived_wal FROM pg_stat_archiver").Scan(&last); err != nil {
		t.Fatal(err)
	}
	kept := filepath.Join(place, "wal", last+".age")
	if err := os.Rename(kept, kept+".lost"); err != nil {
		t.Fatal(err)
	}
	found = examine(d, 1, "--restore")
	for _, check := range []string{"copies", "restore"} {
		if got := found[check]; got.Verdict != fail || !strings.Contains(got.Says, "the archive lacks "+last) {
			t.Errorf("without the end of the log, %s: %+v", check, got)
		}
	}
	if err := os.Rename(kept+".lost", kept); err != nil {
		t.Fatal(err)
	}

	if err := os.Remove(filepath.Join(place, base.Name)); err != nil {
		t.Fatal(err)
	}
	found = examine(d, 1, "--restore")
	for check, says := range map[string]string{"copies": "has no copy of this database", "restore": "has no copy of this database"} {
		if got := found[check]; got.Verdict != fail || !strings.Contains(got.Says, says) {
			t.Errorf("without a copy, %s: %+v", check, got)
		}
	}
	if got := found["archive"]; got.Verdict != fine {
		t.Errorf("the log is archived all the same: %+v", got)
	}
	if code := p.end(); code != 0 {
		t.Errorf("stopped with %d: %s", code, p.stderr)
	}
}

func TestTheDoctorFindsThatAnArchiveIsAnotherDatabases(t *testing.T) {
	t.Parallel()
	d := &doctor{config: archivedTo(t, t.TempDir()), pool: dbtest.Pool(t)}
	if err := d.openArchive(t.TempDir()).Claim(t.Context(), "1234567890"); err != nil {
		t.Fatal(err)
	}
	d.copies(t.Context())
	wantFinding(t, d, "copies", fail, "the archive holds another database")
}

// TestTheDoctorDoesNotWaitForADiskThatDoesNotAnswer plays the disk of another machine with a leased file: Linux lets
// nobody open it for 45 seconds, or until the lease ends.
func TestTheDoctorDoesNotWaitForADiskThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	place := silentPlace(t)
	d := &doctor{config: archivedTo(t, place), pool: dbtest.Pool(t)}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	d.copies(ctx)
	wantFinding(t, d, "copies", fail, place+": context deadline exceeded")
}

// silentPlace makes an archive that hangs when asked which database it belongs to.
func silentPlace(t *testing.T) string {
	t.Helper()
	place := t.TempDir()
	if err := os.Mkdir(filepath.Join(place, "database"), 0o700); err != nil {
		t.Fatal(err)
	}
	held, err := os.Create(filepath.Join(place, "database", "system.age"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = held.Close() }) // whoever waits goes on
	if _, err := unix.FcntlInt(held.Fd(), unix.F_SETLEASE, unix.F_WRLCK); err != nil {
		t.Fatal(err)
	}
	return place
}

// TestTheDoctorFindsAnotherProgramInTheArchive serves what was restored, and does not unset the archive.
func TestTheDoctorFindsAnotherProgramInTheArchive(t *testing.T) {
	t.Parallel()
	d, _ := archived(t)
	p := start(t, d.values, "serve")
	p.ready()
	d.copies(1)
	other := d.elsewhere()
	other.does(0, "restore")
	restored := start(t, other.values, "serve")
	restored.ready()
	newest := d.copies(2)[1].Name
	found := examine(d, 1, "--restore")
	for _, check := range []string{"copies", "restore"} {
		if got := found[check]; got.Verdict != fail || !strings.Contains(got.Says, newest+" is newer than this server's last copy") {
			t.Errorf("%s: %+v", check, got)
		}
	}
	if got := examine(other, 0)["copies"]; got.Verdict != fine {
		t.Errorf("the one that restored: %+v", got)
	}
	for _, p := range []*program{restored, p} {
		if code := p.end(); code != 0 {
			t.Errorf("stopped with %d: %s", code, p.stderr)
		}
	}
}
