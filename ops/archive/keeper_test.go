package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/ops/embedded"
)

// keeping runs a PostgreSQL of its own, which archives its WAL to a folder, and returns a Keeper for it and the address of the database.
func keeping(t *testing.T) (k *Keeper, a *Archive, dsn string, said *strings.Builder) {
	t.Helper()
	data, place := t.TempDir(), parse(t, t.TempDir())
	check.Must(t, os.Chmod(filepath.Dir(data), 0o711)) // PostgreSQL's user passes through
	dbtest.LendProgram(t, data)
	a, said = open(t, place), &strings.Builder{}
	k = &Keeper{Place: place, Recipient: a.recipient, Data: data, Log: slog.New(slog.NewTextHandler(said, nil))}
	server, err := embedded.Start(t.Context(), embedded.Options{
		Dir: data, Archive: Push(place, a.recipient), Settings: map[string]string{"archive_timeout": "1s"},
	})
	check.Must(t, err)
	t.Cleanup(func() { check.NoError(t, server.Stop(context.WithoutCancel(t.Context()))) })
	if info, err := os.Stat(filepath.Join(data, "cluster")); err == nil { // for root, PostgreSQL's user is another one
		check.Must(t, lendTo(place.folder, info))
	}
	return k, a, server.DSN(embedded.Database), said
}

func TestCopiesAreMadeWhenTheyAreDue(t *testing.T) {
	t.Parallel()
	k, a, dsn, said := keeping(t)
	note := filepath.Join(k.Data, copyNote)
	gap := filepath.Join(k.Data, "cluster", gapNote)
	made := func(at time.Time) {
		t.Helper()
		text, err := os.ReadFile(note)
		check.Must(t, err)
		_, of, _ := strings.Cut(string(text), " ")
		check.Must(t, os.WriteFile(note, []byte(at.Format(time.RFC3339Nano)+" "+of), 0o600))
	}
	count := 0
	for _, tt := range []struct {
		what   string
		before func()
		due    bool
	}{
		{"none yet", func() {}, true},
		{"one of just now", func() {}, false},
		{"one of this day", func() { made(time.Now().Add(-23 * time.Hour)) }, false},
		{"one of a day ago", func() { made(time.Now().Add(-25 * time.Hour)) }, true},
		{"one of a clock that ran ahead", func() { made(time.Now().Add(48 * time.Hour)) }, true},
		{"a gap", func() {
			check.Must(t, os.WriteFile(gap, []byte(segmentOf(1)), 0o644)) // PostgreSQL reads it
		}, true},
		{"no gap any more", func() {}, false},
		{"another key", func() { k.Recipient = newIdentity(t).Recipient() }, true},
	} {
		tt.before()
		check.Must(t, k.look(t.Context(), dsn, time.Now()), "%s", tt.what)
		system, err := a.System(t.Context(), "")
		check.Must(t, err)
		bases, err := a.Bases(t.Context(), system, time.Time{})
		if err != nil || (len(bases) > count) != tt.due {
			t.Errorf("%s: a copy is made: %t, %v", tt.what, len(bases) > count, err)
		}
		count = len(bases)
	}
	if left, err := filepath.Glob(filepath.Join(k.Data, spoolPrefix+"*")); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
	check.Contains(t, said.String(), "WAL segments dropped", "of the gap it says %q", said)
}

// TestPostgreSQLArchivesItsLog has PostgreSQL itself archive, then fail to, and then give up.
func TestPostgreSQLArchivesItsLog(t *testing.T) {
	t.Parallel()
	k, a, dsn, said := keeping(t)
	conn, err := pgx.Connect(t.Context(), dsn)
	check.Must(t, err)
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	dbtest.Exec(t, conn, "CREATE TABLE mark (n int)")
	archives := func(column string) string {
		t.Helper()
		dbtest.Exec(t, conn, "INSERT INTO mark VALUES (1)")
		segment := dbtest.Value[string](t, conn, "SELECT pg_walfile_name(pg_switch_wal())")
		ask := fmt.Sprintf("SELECT coalesce(last_%[1]s_wal >= $1, false) FROM pg_stat_archiver", column)
		for end := time.Now().Add(time.Minute); !dbtest.Value[bool](t, conn, ask, segment); <-time.After(20 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("%s is not %s", segment, column)
			}
		}
		return segment
	}
	segment := archives("archived")
	system, err := a.System(t.Context(), "")
	check.Must(t, err)
	if content, err := a.getLog(t.Context(), logName(system, segment)); err != nil || len(content) != 16<<20 {
		t.Errorf("%s has %d bytes, %v", segment, len(content), err)
	}

	check.Must(t, os.Rename(k.Place.folder, k.Place.folder+"-unplugged"))
	archives("failed")
	check.Error(t, k.look(t.Context(), dsn, time.Now().Add(-time.Hour)), "a copy is made without a folder")
	_, err = embedded.Backup(t.Context(), dsn, k.Data, nil, io.Discard)
	check.NoError(t, err, "a backup while the archive fails")
	f := k.Figures()
	if f.Behind <= 0 || f.Bytes == 0 || f.Overdue < time.Hour || f.Gap || !strings.Contains(said.String(), "the archive cannot be written") {
		t.Errorf("while it fails: %+v; it says %s", f, said)
	}
	words, err := os.ReadFile(filepath.Join(k.Data, "postgres.log"))
	if err != nil || !strings.Contains(string(words), "forecourt wal-push: the folder of the archive: open "+k.Place.folder) {
		t.Errorf("PostgreSQL's log does not say why: %s, %v", words, err)
	}
	check.Must(t, os.Rename(k.Place.folder+"-unplugged", k.Place.folder))
	archives("archived")
	if err := k.look(t.Context(), dsn, time.Now()); err != nil || k.Figures().Behind != 0 {
		t.Errorf("after it works again: %v, %+v", err, k.Figures())
	}
}

func TestACopyLeavesRoomOnTheDisk(t *testing.T) {
	t.Parallel()
	for left, wrong := range map[uint64]bool{copyLeaves: false, copyLeaves - 1: true} {
		w := sparing{io.Discard, "", func(string) (uint64, error) { return left, nil }}
		_, err := w.Write([]byte("x"))
		check.Equal(t, err != nil, wrong, "with %d bytes left: %v", left, err)
	}
	_, err := (sparing{io.Discard, "", func(string) (uint64, error) { return 0, errors.New("no") }}).Write(nil)
	check.NoError(t, err)
}

// lendTo gives a folder to the owner of a file, and lets that user reach it.
func lendTo(folder string, owner os.FileInfo) error {
	stat := owner.Sys().(*syscall.Stat_t)
	return errors.Join(os.Chmod(filepath.Dir(folder), 0o711), os.Chown(folder, int(stat.Uid), int(stat.Gid)))
}
