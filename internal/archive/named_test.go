package archive

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/zstd"
)

// TestAFileIsReadOnlyUnderItsOwnName acts as somebody who can write to the archive but has no key.
func TestAFileIsReadOnlyUnderItsOwnName(t *testing.T) {
	t.Parallel()
	for name, place := range places(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := open(t, place)
			moveTo := func(from, to string) {
				t.Helper()
				body, err := a.store.Get(t.Context(), from)
				if err != nil {
					t.Fatal(err)
				}
				content, err := io.ReadAll(body)
				if err := errors.Join(err, body.Close()); err != nil {
					t.Fatal(err)
				}
				copied, err := os.Open(file(t, string(content)))
				if err != nil {
					t.Fatal(err)
				}
				if err := errors.Join(a.store.Put(t.Context(), to, copied), copied.Close()); err != nil {
					t.Fatal(err)
				}
			}
			first, second, history := "000000010000000000000001", "000000010000000000000002", "00000002.history"
			if err := a.Claim(t.Context(), "77"); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{first, second, history} {
				if err := a.PutLog(t.Context(), name, file(t, name)); err != nil {
					t.Fatal(err)
				}
			}
			older, err := a.PutBase(t.Context(), func(w io.Writer) (string, error) {
				_, err := io.WriteString(w, "copy")
				return first, err
			})
			if err != nil {
				t.Fatal(err)
			}
			newer := Base{Name: baseName(older.Ended.Add(time.Hour), second)}
			moveTo(older.Name, newer.Name)
			if _, err := a.FetchBase(t.Context(), newer); !errors.Is(err, errMisnamed) {
				t.Errorf("an older copy renamed to a newer one: %v", err)
			}
			if f, err := a.FetchBase(t.Context(), older); err != nil {
				t.Error(err)
			} else if text, err := io.ReadAll(f); err != nil || string(text) != "copy" || f.Close() != nil {
				t.Errorf("under its own name: %q, %v", text, err)
			}
			for from, to := range map[string]string{logName(first): second, logName(history): first, systemName: history} {
				moveTo(from, logName(to))
				if err := a.GetLog(t.Context(), to, io.Discard); !errors.Is(err, ErrDamaged) {
					t.Errorf("%s renamed to %s: %v", from, to, err)
				}
				if err := a.PutLog(t.Context(), to, file(t, strings.TrimSuffix(from[4:], ending))); !errors.Is(err, ErrDamaged) {
					t.Errorf("%s renamed to %s and archived again: %v", from, to, err)
				}
			}
			moveTo(logName(second), systemName)
			if err := a.Claim(t.Context(), "77"); !errors.Is(err, ErrDamaged) {
				t.Errorf("a log file in place of the database's mark: %v", err)
			}
		})
	}
}

// TestAnArchiveOfAnEarlierReleaseIsRead stores files that do not contain their names.
func TestAnArchiveOfAnEarlierReleaseIsRead(t *testing.T) {
	t.Parallel()
	for name, place := range places(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := open(t, place)
			segment, content := "000000010000000000000001", strings.Repeat("log ", 1<<18)
			before := func(name string, fill func(io.Writer) error) {
				t.Helper()
				f, err := os.Create(file(t, ""))
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = f.Close() }()
				w, err := seal(f, key)
				if err != nil {
					t.Fatal(err)
				}
				if err := errors.Join(fill(w), w.Close(), a.store.Put(t.Context(), name, f)); err != nil {
					t.Fatal(err)
				}
			}
			packed := func(w io.Writer) error {
				zw, err := zstd.NewWriter(w)
				if err != nil {
					return err
				}
				_, err = io.WriteString(zw, content)
				return errors.Join(err, zw.Close())
			}
			before(systemName, func(w io.Writer) error { _, err := io.WriteString(w, "77"); return err })
			before(logName(segment), packed)
			if err := errors.Join(a.Claim(t.Context(), "77"), a.Trust(t.Context()), a.PutLog(t.Context(), segment, file(t, content))); err != nil {
				t.Errorf("the earlier archive cannot be continued: %v", err)
			}
			var got bytes.Buffer
			if err := a.GetLog(t.Context(), segment, &got); err != nil || got.String() != content {
				t.Errorf("read %d bytes, %v", got.Len(), err)
			}

			if err := errors.Join(a.store.Remove(t.Context(), systemName), a.Claim(t.Context(), "77"), a.Trust(t.Context())); err != nil {
				t.Fatal(err)
			}
			if err := a.GetLog(t.Context(), segment, io.Discard); !errors.Is(err, errUnnamed) {
				t.Errorf("a file without a name in an archive begun by this release: %v", err)
			}
		})
	}
}

func TestANameFrameIsFoundHoweverItIsRead(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, frameLength - 1, frameLength, 64 << 10, 200_000} {
		content := strings.Repeat("x", size)
		for _, named := range []bool{true, false} {
			text := content
			if named {
				text += string(nameFrame("wal/1"))
			}
			for name, read := range map[string]func(io.Reader) io.Reader{"whole": func(r io.Reader) io.Reader { return r }, "by byte": iotest.OneByteReader, "with its end": iotest.DataErrReader} {
				if size > 100_000 && name == "by byte" {
					continue
				}
				r := newNamedReader(strings.NewReader(text), "wal/1")
				got, err := io.ReadAll(read(r))
				if err != nil || string(got) != content || r.named != named {
					t.Errorf("%d bytes, with a name %t, read %s: %d bytes, %t, %v", size, named, name, len(got), r.named, err)
				}
			}
		}
	}
}

// TestADamagedCopyIsReplacedOnlyOnItsTimeline: another timeline leads to another end.
func TestADamagedCopyIsReplacedOnlyOnItsTimeline(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		copies  []string // their timelines, the oldest first; "!" marks a damaged one
		history []string // timelines that a restore began
		want    int      // the copy; -1: none
		passed  int
	}{
		"all are whole":                     {[]string{"1", "1"}, nil, 1, 0},
		"the newest is damaged":             {[]string{"1", "1!"}, nil, 0, 1},
		"so is the one before":              {[]string{"1", "1!", "1!"}, nil, 0, 2},
		"all are damaged":                   {[]string{"1!", "1!"}, nil, -1, 2},
		"after a restore":                   {[]string{"1", "2", "2!"}, []string{"2"}, 1, 1},
		"the only one after a restore":      {[]string{"1", "2!"}, []string{"2"}, -1, 1},
		"a name on a timeline of its own":   {[]string{"1", "F!"}, nil, 0, 1},
		"a name between two of a timeline":  {[]string{"2", "F!", "2!"}, []string{"2"}, 0, 1},
		"names after the only one restored": {[]string{"1", "2!", "F!"}, []string{"2"}, -1, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, place := openFolder(t)
			for _, timeline := range tt.history {
				if err := a.PutLog(t.Context(), "0000000"+timeline+".history", file(t, "history")); err != nil {
					t.Fatal(err)
				}
			}
			var bases []Base
			for i, timeline := range tt.copies {
				b := Base{Ended: time.Date(2026, 11, 27, i, 0, 0, 0, time.UTC), First: "0000000" + timeline[:1] + "0000000000000001"}
				b.Name = baseName(b.Ended, b.First)
				err := a.put(t.Context(), func() (string, error) { return b.Name, nil }, func(w io.Writer) error {
					_, err := io.WriteString(w, timeline)
					return err
				})
				if err == nil && strings.HasSuffix(timeline, "!") {
					err = os.Truncate(filepath.Join(place.folder, b.Name), 10)
				}
				if err != nil {
					t.Fatal(err)
				}
				bases = append([]Base{b}, bases...)
			}
			got, f, unfit, err := a.FetchNewest(t.Context(), bases)
			if tt.want < 0 {
				if !errors.Is(err, ErrDamaged) || strings.Count(err.Error(), " in the archive: ") != tt.passed {
					t.Errorf("%v, %v; want an error that names %d copies", got, err, tt.passed)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Error(err)
			}
			if want := bases[len(bases)-1-tt.want]; got.Name != want.Name || len(unfit) != tt.passed {
				t.Errorf("it takes %s and passes over %v, want %s", got.Name, unfit, want.Name)
			}
		})
	}
}
