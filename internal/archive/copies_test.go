package archive

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/db/embedded"
	"forecourt/internal/archive/store"
	"forecourt/internal/dbtest"
)

// heard are the lines of a log.
type heard chan string

func (h heard) Write(line []byte) (int, error) {
	h <- string(line)
	return len(line), nil
}

// until waits for a line that holds text.
func (h heard) until(t *testing.T, text string) {
	t.Helper()
	for {
		select {
		case line := <-h:
			if strings.Contains(line, text) {
				return
			}
		case <-time.After(5 * time.Minute):
			t.Fatalf("it never says %q", text)
		}
	}
}

// keeping runs a PostgreSQL of its own, whose log a Keeper of two copies archives to a folder, and returns the address of the database.
func keeping(t *testing.T) (k *Keeper, dsn string, said heard) {
	t.Helper()
	data := t.TempDir()
	if err := os.Chmod(filepath.Dir(data), 0o711); err != nil { // PostgreSQL's user passes through
		t.Fatal(err)
	}
	dbtest.LendProgram(t, data)
	a, _ := openFolder(t)
	said = make(heard, 100)
	k = NewKeeper(Config{Archive: a, Data: data, Every: time.Hour, Copies: 2, Log: slog.New(slog.NewTextHandler(said, nil))})
	server, err := embedded.Start(t.Context(), embedded.Options{Dir: data, Archive: k.Keep})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return k, server.DSN(embedded.Database), said
}

// copies returns the names of the copies in the archive, and the first segment that the oldest one needs.
func (k *Keeper) copies(t *testing.T) (names []string, needed string) {
	t.Helper()
	bases, err := k.Archive.Bases(t.Context())
	if err != nil || len(bases) == 0 {
		t.Fatalf("%v, %v", bases, err)
	}
	for _, b := range bases {
		names = append(names, b.Name)
	}
	return names, bases[0].First
}

func TestACopyIsMadeWhenItIsDueAndTheOldestGoes(t *testing.T) {
	t.Parallel()
	k, dsn, _ := keeping(t)
	short := NewKeeper(Config{Archive: k.Archive, Data: k.Data, Free: func(string) (uint64, error) { return 255 << 20, nil }})
	if err := short.copyWhole(t.Context(), dsn); err == nil || !strings.Contains(err.Error(), "less than 256 MB left") {
		t.Errorf("a copy on a disk that is nearly full: %v", err)
	}
	var made []string
	for _, tt := range []struct {
		what  string
		every time.Duration
		due   bool
	}{
		{"no copy yet", time.Hour, true},
		{"one of this hour", time.Hour, false},
		{"one that is too old", time.Nanosecond, true},
		{"another that is too old", time.Nanosecond, true},
		{"one of this hour again", time.Hour, false},
	} {
		k.Every = tt.every
		if err := k.copyWhenDue(t.Context(), dsn); err != nil {
			t.Fatalf("%s: %v", tt.what, err)
		}
		names, needed := k.copies(t)
		newest := names[len(names)-1]
		if is := !slices.Contains(made, newest); is != tt.due {
			t.Errorf("%s: a copy is made: %t", tt.what, is)
		} else if is {
			made = append(made, newest)
		}
		if want := made[max(0, len(made)-k.Copies):]; !slices.Equal(names, want) {
			t.Errorf("%s: left are %v, want %v", tt.what, names, want)
		}
		if log, _, err := k.Archive.log(t.Context(), needed[:8]); err != nil || tt.due && len(made) > k.Copies && log[0] != needed {
			t.Errorf("%s: the log is %v, %v; the oldest copy needs it from %s on", tt.what, log, err, needed)
		}
	}

	k.setBase(time.Now().Add(48 * time.Hour)) // the clock ran ahead when it was made
	if err := k.copyWhenDue(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	names, _ := k.copies(t)
	if newest := names[len(names)-1]; newest == made[len(made)-1] {
		t.Error("after a copy with a date in the future there is no other")
	} else {
		made = append(made, newest)
	}

	again := NewKeeper(k.Config)
	if err := again.copyWhenDue(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	if names, _ := k.copies(t); names[len(names)-1] != made[len(made)-1] || again.base.IsZero() {
		t.Errorf("another start has %v, of %s; the newest was %s", names, again.base, made[len(made)-1])
	}
}

func TestAGapStaysUntilACopyClosesIt(t *testing.T) {
	t.Parallel()
	k, dsn, said := keeping(t)
	run := func(dsn, until string) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { k.Run(ctx, dsn) })
		said.until(t, until)
		cancel()
		running.Wait()
	}
	const copied, failed = "the whole database was copied", "the whole database cannot be copied"
	wantCopies := func(when string, copies, gaps int) {
		t.Helper()
		if names, _ := k.copies(t); len(names) != copies || len(k.gap) != gaps {
			t.Errorf("%s: copies %v, gaps %d; want %d and %d", when, names, len(k.gap), copies, gaps)
		}
	}
	run(dsn, copied)
	wantCopies("at first", 1, 0)
	k.needCopy()
	run("postgres://127.0.0.1:1/nowhere", failed)
	wantCopies("a copy that failed", 1, 1)
	if err := k.copyWhenDue(t.Context(), dsn); err != nil {
		t.Error(err)
	}
	wantCopies("soon after that", 1, 1)
	k.retry = time.Time{}
	run(dsn, copied)
	wantCopies("a copy that succeeded", 2, 0)
}

// TestAGapIsFoundAfterARestart kills a program, so to speak, after it noticed a gap and before the copy that closes it.
func TestAGapIsFoundAfterARestart(t *testing.T) {
	t.Parallel()
	k, dsn, said := keeping(t)
	if err := k.copyWhenDue(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	_, first := k.copies(t)
	const later = "0000000000000099" // which PostgreSQL does not reach
	if err := k.Archive.PutLog(t.Context(), first[:8]+later, file(t, "a segment")); err != nil {
		t.Fatal(err)
	}

	again := NewKeeper(k.Config)
	again.wanted = time.Now().Add(-2 * time.Hour)
	if at, err := again.newestCopy(t.Context(), dsn); err != nil || !at.IsZero() {
		t.Errorf("the copy before the gap is of %s, %v; want none", at, err)
	}
	if late := again.Figures().Overdue.Truncate(time.Minute); late != 2*time.Hour {
		t.Errorf("the copy that closes the gap is overdue by %s, want 2h", late)
	}
	if err := again.copyWhenDue(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	if names, _ := k.copies(t); len(names) != 2 || again.Figures().Overdue != 0 {
		t.Errorf("there are the copies %v, overdue by %s; want one more after the gap", names, again.Figures().Overdue)
	}
	said.until(t, "the archive has a gap")
}

// TestAFileThatSomebodyRemovedIsNoticedWithinTheHour removes the first and the newest file of the log that a restore needs.
func TestAFileThatSomebodyRemovedIsNoticedWithinTheHour(t *testing.T) {
	t.Parallel()
	k, dsn, _ := keeping(t)
	k.Every = 24 * time.Hour
	look := func(ago time.Duration) (copied bool) {
		t.Helper()
		k.checked = time.Now().Add(-ago)
		before, _ := k.copies(t)
		if err := k.copyWhenDue(t.Context(), dsn); err != nil {
			t.Fatal(err)
		}
		after, _ := k.copies(t)
		return after[len(after)-1] != before[len(before)-1]
	}
	if err := k.copyWhenDue(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	if look(2 * time.Hour) {
		t.Error("an archive that lacks nothing gets another copy")
	}
	for what, name := range map[string]func() string{
		"the newest file of the log": func() string {
			conn, err := pgx.Connect(t.Context(), dsn)
			if err != nil {
				t.Fatal(err)
			}
			var segment string
			err = conn.QueryRow(t.Context(), "SELECT pg_walfile_name(pg_logical_emit_message(false, '', 'a change'))").Scan(&segment)
			if err == nil {
				_, err = conn.Exec(t.Context(), "SELECT pg_switch_wal()")
			}
			if err := errors.Join(err, conn.Close(t.Context()), k.await(t.Context(), segment)); err != nil {
				t.Fatal(err)
			}
			return logName(segment)
		},
		"the first file of the log": func() string {
			bases, err := k.Archive.Bases(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return logName(bases[len(bases)-1].First)
		},
	} {
		if err := k.Archive.store.Remove(t.Context(), name()); err != nil {
			t.Fatal(err)
		}
		if look(59 * time.Minute) {
			t.Errorf("%s: the archive is read more than once an hour", what)
		}
		k.wanted = time.Time{}
		if !look(time.Hour) {
			t.Errorf("%s is missing, and there is no new copy", what)
		}
		if since := time.Since(k.wanted); since > time.Minute {
			t.Errorf("%s: while the copy is made it is overdue by %s", what, since)
		}
		if late := k.Figures().Overdue; late != 0 {
			t.Errorf("%s: after the copy another one is overdue by %s", what, late)
		}
	}
}

// hiding is a store whose lists lack a file, as may happen when a folder changes while it is listed.
type hiding struct {
	store.Store
	name string
}

func (h hiding) List(ctx context.Context, below string) ([]store.Entry, error) {
	entries, err := h.Store.List(ctx, below)
	return slices.DeleteFunc(entries, func(e store.Entry) bool { return e.Name == h.name }), err
}

func TestAFileThatAListLacksIsNoGap(t *testing.T) {
	t.Parallel()
	for name, place := range places(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := open(t, place)
			for _, n := range []string{"1", "2", "3", "4", "6"} {
				if err := a.PutLog(t.Context(), "00000001000000000000000"+n, file(t, n)); err != nil {
					t.Fatal(err)
				}
			}
			b := Base{First: "000000010000000000000002"}
			for hidden, want := range map[string]string{"3": "000000010000000000000005", "2": "000000010000000000000005", "6": ""} {
				hides := *a
				hides.store = hiding{a.store, logName("00000001000000000000000" + hidden)}
				if got, err := hides.Gap(t.Context(), b); err != nil || got != want {
					t.Errorf("with a list without %s the archive lacks %q, %v; want %q", hidden, got, err, want)
				}
			}
		})
	}
}
