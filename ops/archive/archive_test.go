package archive

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"filippo.io/age"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"forecourt/internal/kit/check"
)

const system = "7713274973863860208"

// bucketPlace returns a bucket at a server over HTTP that answers what refuse lets through; nil lets everything through.
func bucketPlace(t *testing.T, refuse func(w http.ResponseWriter, r *http.Request) bool) *Place {
	t.Helper()
	whole := gofakes3.New(s3mem.New(), gofakes3.WithAutoBucket(true)).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refuse == nil || !refuse(w, r) {
			whole.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return parse(t, strings.Replace(server.URL, "http:", "s3:", 1)+"/bucket/some/prefix")
}

func parse(t *testing.T, text string) *Place {
	t.Helper()
	place, err := ParsePlace(text)
	check.Must(t, err)
	return place
}

// everywhere runs a test with a folder and with a bucket.
func everywhere(t *testing.T, test func(t *testing.T, place *Place)) {
	t.Helper()
	for name, place := range map[string]*Place{"folder": parse(t, t.TempDir()), "bucket": bucketPlace(t, nil)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, place)
		})
	}
}

func newIdentity(t *testing.T) *age.X25519Identity {
	t.Helper()
	identity, err := age.GenerateX25519Identity()
	check.Must(t, err)
	return identity
}

// open returns the archive at a place for a new key.
func open(t *testing.T, place *Place) *Archive {
	t.Helper()
	identity := newIdentity(t)
	a, err := Open(place, identity.Recipient(), identity)
	check.Must(t, err)
	return a
}

// dataOf makes PostgreSQL's data directory of the database system, as far as a child looks at it.
func dataOf(t *testing.T) (data string) {
	t.Helper()
	data = t.TempDir()
	err := errors.Join(os.MkdirAll(filepath.Join(data, "pg_wal", "archive_status"), 0o700), os.Mkdir(filepath.Join(data, "global"), 0o700))
	if err == nil {
		control := binary.NativeEndian.AppendUint64(nil, 7713274973863860208)
		err = os.WriteFile(filepath.Join(data, "global", "pg_control"), control, 0o600)
	}
	check.Must(t, err)
	return data
}

// pushed writes a WAL file and archives it.
func pushed(t *testing.T, a *Archive, data, name, content string) error {
	t.Helper()
	check.Must(t, os.WriteFile(filepath.Join(data, "pg_wal", name), []byte(content), 0o600))
	return a.pushFile(t.Context(), data, filepath.Join("pg_wal", name))
}

// put stores a text as it is.
func put(t *testing.T, a *Archive, name, text string) {
	t.Helper()
	check.Must(t, a.store.put(t.Context(), name, io.NewSectionReader(strings.NewReader(text), 0, int64(len(text)))))
}

func segmentOf(n int) string { return fmt.Sprintf("00000001%016X", n) }

// read returns a file of the archive as it is stored.
func read(t *testing.T, a *Archive, name string) []byte {
	t.Helper()
	body, err := a.store.get(t.Context(), name)
	check.Must(t, err)
	content, err := io.ReadAll(body)
	check.Must(t, errors.Join(err, body.Close()))
	return content
}

func TestAFileOfTheLogIsSealedAndReadBack(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, place *Place) {
		a, data := open(t, place), dataOf(t)
		content := strings.Repeat("log ", 4<<20) // as large as a segment
		for range 2 {                            // PostgreSQL archives a file again after a crash
			check.Must(t, pushed(t, a, data, segmentOf(1), content))
		}
		stored := read(t, a, system+"/00000001/wal/"+segmentOf(1)+".zst.age")
		if bytes.Contains(stored, []byte("log log")) || len(stored) > len(content)/10 {
			t.Errorf("%d bytes are stored; want them compressed and sealed", len(stored))
		}
		elsewhere := dataOf(t)
		if got, err := a.fetchFile(t.Context(), elsewhere, segmentOf(1)); err != nil || string(got) != content {
			t.Errorf("read back %d bytes, %v", len(got), err)
		}
		other := *a
		other.identity = newIdentity(t)
		_, err := other.fetchFile(t.Context(), elsewhere, segmentOf(1))
		if !errors.Is(err, ErrUnreadable) || !strings.Contains(err.Error(), segmentOf(1)) {
			t.Errorf("with another key: %v", err)
		}
		_, err = a.fetchFile(t.Context(), elsewhere, segmentOf(2))
		check.ErrorIs(t, err, ErrMissing, "after the end")
	})
}

// TestAPutNeverOverwrites has two machines archive as the same database, as after a snapshot of one was started elsewhere.
func TestAPutNeverOverwrites(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, place *Place) {
		a, data, clone := open(t, place), dataOf(t), dataOf(t)
		for n := range notedFiles + 2 {
			check.Must(t, pushed(t, a, data, segmentOf(n), "one"))
		}
		before := read(t, a, logName(system, segmentOf(3)))
		for range 2 { // and again, because PostgreSQL does not give up
			check.ErrorIs(t, pushed(t, a, clone, segmentOf(3), "other"), ErrExists, "another content")
		}
		check.ErrorIs(t, pushed(t, a, data, segmentOf(notedFiles), "changed"), ErrExists, "another content of the same machine")
		check.NoError(t, pushed(t, a, data, segmentOf(notedFiles), "one"), "the same content again")
		if !bytes.Equal(before, read(t, a, logName(system, segmentOf(3)))) {
			t.Error("a file was replaced")
		}
		check.NoError(t, pushed(t, a, clone, segmentOf(99), "other"), "a new name")
		check.Error(t, pushed(t, a, clone, "customers.csv", "x"), "what is no file of the log is archived")
	})
}

// TestAKeyThatCanOnlyPutIsEnough refuses everything that a child and a Keeper do but put.
func TestAKeyThatCanOnlyPutIsEnough(t *testing.T) {
	t.Parallel()
	place := bucketPlace(t, func(w http.ResponseWriter, r *http.Request) bool {
		multipart := r.URL.Query().Has("uploads") || r.URL.Query().Has("uploadId")
		if r.Method == http.MethodPut || r.Method == http.MethodPost && multipart {
			return false
		}
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, "<Error><Code>AccessDenied</Code><Message>not\u009b31m you\nforecourt: all is well</Message></Error>")
		return true
	})
	a, data := open(t, place), dataOf(t)
	for range 2 {
		check.NoError(t, pushed(t, a, data, segmentOf(1), "log"))
	}
	check.ErrorIs(t, pushed(t, a, dataOf(t), segmentOf(1), "other"), ErrExists, "another content")
	large := strings.NewReader(strings.Repeat("base", 5<<20)) // more than one request takes
	check.NoError(t, a.store.put(t.Context(), "base", io.NewSectionReader(large, 0, large.Size())), "a copy")
	err := a.prune(t.Context(), system, 1)
	if err == nil || strings.ContainsAny(err.Error(), "\n\u009b") || !strings.Contains(err.Error(), "not") {
		t.Errorf("what the service says is %q, want one line", err)
	}
}

// TestAnAnswerThatBreaksOffIsNoEnd has the network fail in the middle of a file: a recovery that took that for the end of the log
// would lose the rest.
func TestAnAnswerThatBreaksOffIsNoEnd(t *testing.T) {
	t.Parallel()
	cut := false
	place := bucketPlace(t, func(w http.ResponseWriter, r *http.Request) bool {
		if cut && r.Method == http.MethodGet && !r.URL.Query().Has("list-type") {
			w.Header().Set("Content-Length", "1000000")
			w.Header().Set("Last-Modified", "Mon, 02 Jan 2026 15:04:05 GMT")
			_, _ = io.WriteString(w, "age-encryption.org/v1\n")
			return true
		}
		return false
	})
	a, data := open(t, place), dataOf(t)
	check.Must(t, pushed(t, a, data, segmentOf(1), "log"))
	cut = true
	if _, err := a.fetchFile(t.Context(), dataOf(t), segmentOf(1)); err == nil || errors.Is(err, ErrMissing) {
		t.Errorf("broken off: %v", err)
	}
}

func TestAGapIsNoEnd(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, place *Place) {
		a, data := open(t, place), dataOf(t)
		for _, n := range []int{1, 3} {
			check.Must(t, pushed(t, a, data, segmentOf(n), "log"))
		}
		restored := dataOf(t)
		_, err := a.fetchFile(t.Context(), restored, segmentOf(2))
		if err == nil || errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), segmentOf(2)+" of its log is missing") {
			t.Errorf("a segment in the middle: %v", err)
		}
		check.Must(t, os.WriteFile(filepath.Join(restored, "pg_wal", segmentOf(2)), nil, 0o600))
		for _, name := range []string{segmentOf(2), segmentOf(4), "00000002.history"} {
			_, err := a.fetchFile(t.Context(), restored, name)
			check.ErrorIs(t, err, ErrMissing, "%s, which the copy holds or which nobody", name)
		}
		a.identity = nil
		check.Must(t, pushed(t, a, data, "00000002.history", "1\t0/3000000\tno recovery target specified\n"))
		_, err = a.fetchFile(t.Context(), restored, "00000002.history")
		check.NoError(t, err, "without a key, a timeline that there")
		for _, name := range []string{"00000003.history", segmentOf(1)} {
			_, err := a.fetchFile(t.Context(), restored, name)
			check.ErrorIs(t, err, ErrMissing, "without a key, %s", name)
		}
	})
}

func TestOldCopiesGoWithTheirLog(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, place *Place) {
		a, data := open(t, place), dataOf(t)
		names := []string{"00000002.history", "000000020000000000000009", segmentOf(3) + ".00000028.backup", segmentOf(5) + ".partial"}
		for n := 1; n <= 8; n++ {
			names = append(names, segmentOf(n))
		}
		for _, name := range names {
			check.Must(t, pushed(t, a, data, name, "log"))
		}
		at := time.Date(2026, 11, 27, 9, 0, 0, 0, time.UTC)
		for n, first := range []int{2, 4, 7} {
			put(t, a, newBase(system, segmentOf(first), at.Add(time.Duration(n)*time.Hour)).Name, "copy")
		}
		put(t, a, system+"/00000001/wal/customer,list,of,november.csv", "x")
		for _, tt := range []struct {
			to   time.Time
			want int
			err  error
		}{{time.Time{}, 3, nil}, {at.Add(time.Hour), 2, nil}, {at.Add(-time.Second), 0, ErrTooEarly}} {
			if bases, err := a.Bases(t.Context(), system, tt.to); len(bases) != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("to %s: %v, %v", tt.to, bases, err)
			}
		}
		check.Must(t, a.prune(t.Context(), system, 2))
		bases, err := a.Bases(t.Context(), system, time.Time{})
		if err != nil || len(bases) != 2 || bases[0].first != segmentOf(7) || bases[1].first != segmentOf(4) {
			t.Errorf("%v are left, %v; want the two newest copies", bases, err)
		}
		var left []string
		for _, timeline := range []string{"/00000001/wal/", "/00000002/wal/"} {
			names, err := a.store.list(t.Context(), system+timeline)
			check.Must(t, err)
			for _, name := range names {
				left = append(left, strings.TrimLeft(strings.TrimSuffix(name[8:], logEnding), "0"))
			}
		}
		slices.Sort(left)
		check.List(t, left, []string{",list,of,november.csv", ".history", "4", "5", "5.partial", "6", "7", "8", "9"}, "… are left")
	})
}

func TestADatabaseIsChosen(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, place *Place) {
		a := open(t, place)
		_, err := a.System(t.Context(), "")
		check.ErrorIs(t, err, ErrMissing, "an empty archive")
		put(t, a, "database/system.age", "x")
		put(t, a, "base/20261127T090000.000Z-000000010000000000000001.age", "x")
		_, err = a.System(t.Context(), "")
		check.ErrorIs(t, err, ErrOlder, "an archive of an earlier release")
		put(t, a, "1/00000001/wal/x", "x")
		if got, err := a.System(t.Context(), ""); got != "1" || err != nil {
			t.Errorf("one database: %q, %v", got, err)
		}
		put(t, a, "2/00000001/wal/x", "x")
		if _, err := a.System(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "--system") {
			t.Errorf("two databases: %v", err)
		}
		if got, err := a.System(t.Context(), "2"); got != "2" || err != nil {
			t.Errorf("one of two: %q, %v", got, err)
		}
	})
}

func TestParsePlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Place{
		"/mnt/archive/":           {folder: "/mnt/archive"},
		"s3://s3.example/bucket":  {host: "s3.example", secure: true, bucket: "bucket"},
		"s3://s3.example:9/b/c/d": {host: "s3.example:9", secure: true, bucket: "b", prefix: "c/d/"},
		"s3://127.0.0.1:9000/b":   {host: "127.0.0.1:9000", bucket: "b"},
		"s3://localhost/b/":       {host: "localhost", bucket: "b"},
		"archive":                 {}, "s3://bucket": {}, "s3://id:password@s3.example/b": {}, "https://s3.example/b": {},
		"s3://s3.example/b?x=y": {}, "": {},
	} {
		place, err := ParsePlace(text)
		if err != nil {
			if want != (Place{}) || strings.Contains(err.Error(), "password@") {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		if want.text = text; *place != want {
			t.Errorf("%q: %+v", text, place)
		}
	}
	for folder, inside := range map[string]bool{"/data": true, "/data/archive": true, "/database": false, "/": false, "/mnt": false} {
		if err := parse(t, folder).CheckOutside("/data"); (err != nil) != inside {
			t.Errorf("%s: %v", folder, err)
		}
	}
}

// TestAFolderIsOnlyWhatLiesInIt has somebody else write to the folder of an archive, and a program killed there.
func TestAFolderIsOnlyWhatLiesInIt(t *testing.T) {
	t.Parallel()
	place := parse(t, t.TempDir())
	a, data, outside := open(t, place), dataOf(t), t.TempDir()
	check.Must(t, pushed(t, a, data, segmentOf(1), "log"))
	wal := filepath.Join(place.folder, system, "00000001", "wal")
	for name, age := range map[string]time.Duration{partPrefix + "left": partFor + time.Hour, partPrefix + "written": time.Hour} {
		at := time.Now().Add(-age)
		err := errors.Join(os.WriteFile(filepath.Join(wal, name), []byte("half"), 0o600), os.Chtimes(filepath.Join(wal, name), at, at))
		check.Must(t, err)
	}
	names, err := a.store.list(t.Context(), path.Join(system, "00000001", "wal")+"/")
	if err != nil || !slices.Equal(names, []string{segmentOf(1) + logEnding}) {
		t.Errorf("it lists %v, %v", names, err)
	}
	if left, err := filepath.Glob(filepath.Join(wal, partPrefix+"*")); err != nil || len(left) != 1 {
		t.Errorf("parts are left: %v, %v", left, err)
	}
	check.Must(t, errors.Join(os.RemoveAll(wal), os.Symlink(outside, wal)))
	check.Error(t, pushed(t, a, data, segmentOf(2), "log"), "a link out of the folder is followed")
	_, err = Open(parse(t, filepath.Join(outside, "unplugged")), nil, nil)
	check.Error(t, err, "the folder of a disk that is not mounted is made")
}

// hung is a store that does not answer, whatever happens to the context, as a disk over NFS.
type hung struct {
	store
	answer chan struct{}
}

func (h hung) put(context.Context, string, *io.SectionReader) error {
	<-h.answer
	return errors.New("too late")
}

// TestADeadArchiveNeverFillsTheDisk has the disk fill up while the archive does not answer.
func TestADeadArchiveNeverFillsTheDisk(t *testing.T) {
	t.Parallel()
	data := dataOf(t)
	a := open(t, parse(t, t.TempDir()))
	for n := range 2 {
		for _, name := range []string{segmentOf(1 + n), "archive_status/" + segmentOf(1+n) + ".ready"} {
			check.Must(t, os.WriteFile(filepath.Join(data, "pg_wal", name), nil, 0o600))
		}
	}
	synctest.Test(t, func(t *testing.T) {
		h := hung{a.store, make(chan struct{})}
		a.store = h
		for _, tt := range []struct {
			left  uint64
			took  time.Duration
			given bool
		}{{32<<20 + 1, 2 * time.Minute, false}, {32 << 20, 10 * time.Second, true}} {
			began := time.Now()
			given, err := a.pushInTime(t.Context(), data, "pg_wal/"+segmentOf(1), func(string) (uint64, error) { return tt.left, nil })
			if given != tt.given || err == nil || time.Since(began) != tt.took {
				t.Errorf("with %d bytes left: given up %t, %v, after %s", tt.left, given, err, time.Since(began))
			}
			note, err := os.ReadFile(filepath.Join(data, gapNote))
			check.Equal(t, tt.given, string(note) == segmentOf(1)+"\n", "with %d bytes left the gap is noted as %q, %v", tt.left, note, err)
		}
		close(h.answer)
	})
}
