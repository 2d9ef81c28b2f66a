package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/sys/unix"

	"forecourt/internal/archive/store"
)

func TestAGapIsWhatIsMissingAfterACopy(t *testing.T) {
	t.Parallel()
	segment := func(n int) string { return fmt.Sprintf("00000001%08X%08X", n/256, n%256) }
	for name, tt := range map[string]struct {
		stored []int
		want   string
	}{
		"none":                                {[]int{254, 255, 256, 257}, ""},
		"one before the copy":                 {[]int{250, 252, 254, 255, 256}, ""},
		"one after it":                        {[]int{254, 255, 257}, segment(256)},
		"two after it":                        {[]int{254, 257}, segment(255)},
		"the first that it needs":             {[]int{253, 255}, segment(254)},
		"all that it needs, and what follows": {[]int{253}, segment(254)},
		"the whole log":                       {nil, segment(254)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, place := openFolder(t)
			for _, n := range tt.stored {
				if err := a.PutLog(t.Context(), segment(n), file(t, "content")); err != nil {
					t.Fatal(err)
				}
			}
			for _, other := range []string{"0000000200000001000000FF", "00000001.history", segment(255) + ".00000028.backup"} {
				if err := a.PutLog(t.Context(), other, file(t, "content")); err != nil {
					t.Fatal(err)
				}
			}
			forge(t, place, "00000001FFFFFFFF000000FF")
			if got, err := a.Gap(t.Context(), Base{First: segment(254)}); err != nil || got != tt.want {
				t.Errorf("missing is %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

// forge adds what somebody without the key can add to an archive's log: a file, a pipe and a link with names that follow name, and a file of
// the log under another name.
func forge(t *testing.T, place *Place, name string) {
	t.Helper()
	below := filepath.Join(place.folder, logFolder)
	at := func(suffix string) string { return filepath.Join(below, name[:23]+suffix+ending) }
	genuine, err := os.ReadFile(filepath.Join(below, "00000001.history"+ending))
	err = errors.Join(
		err, unix.Mkfifo(filepath.Join(place.folder, name), 0o600),
		os.WriteFile(at("B"), genuine, 0o600), os.WriteFile(at("C"), nil, 0o600),
		unix.Mkfifo(at("D"), 0o600), os.Symlink("00000001.history"+ending, at("E")),
		os.WriteFile(at("F"), []byte("age-encryption.org/v1"), 0o600),
	)
	if err != nil {
		t.Fatal(err)
	}
}

func TestAFileThatSomebodyAddsToTheLogIsNotItsEnd(t *testing.T) {
	t.Parallel()
	a, place := openFolder(t)
	const last = "000000010000000000000003"
	for _, name := range []string{"00000001.history", "000000010000000000000002", last} {
		if err := a.PutLog(t.Context(), name, file(t, "log")); err != nil {
			t.Fatal(err)
		}
	}
	forge(t, place, "00000001FFFFFFFF000000FF")
	r, err := a.Replay(t.Context(), Base{First: "000000010000000000000002"})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Fetch(t.Context(), after(last), io.Discard); !errors.Is(err, ErrMissing) {
		t.Errorf("what follows the log is %v, want ErrMissing", err)
	}
	if len(r.Unfit) != 3 || !strings.Contains(r.Unfit[0].Error(), "FFFFFFFF000000FF") {
		t.Errorf("passed over: %v", r.Unfit)
	}
	if _, err := a.Prune(t.Context(), nil, 1); err != nil {
		t.Errorf("what Prune cannot use is an error: %v", err)
	}
	if err := a.GetLog(t.Context(), "00000001FFFFFFFF000000FD", io.Discard); err == nil {
		t.Error("a pipe is read")
	}
}

// breaking is a store whose connection breaks while it delivers a file.
type breaking struct {
	store.Store
	name string
}

func (b breaking) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	body, err := b.Store.Get(ctx, name)
	if err != nil || name != b.name {
		return body, err
	}
	begun := io.MultiReader(io.LimitReader(body, 300), iotest.ErrReader(fmt.Errorf("%w: the connection broke", store.ErrBroken)))
	return struct {
		io.Reader
		io.Closer
	}{begun, body}, nil
}

// Otherwise a restore would end before the gap, as if the log ended there.
func TestAFileThatCannotBeReadNowBelongsToTheLog(t *testing.T) {
	t.Parallel()
	a, _ := openFolder(t)
	const first, missing, last = "000000010000000000000002", "000000010000000000000003", "000000010000000000000004"
	for _, name := range []string{first, last} {
		if err := a.PutLog(t.Context(), name, file(t, "log")); err != nil {
			t.Fatal(err)
		}
	}
	a.store = breaking{a.store, logName(last)}
	r, err := a.Replay(t.Context(), Base{First: first})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Fetch(t.Context(), missing, io.Discard); err == nil || errors.Is(err, ErrMissing) {
		t.Errorf("a gap before the file is %v", err)
	}
	if got, err := a.Gap(t.Context(), Base{First: first}); got != missing || err != nil {
		t.Errorf("missing is %q, %v", got, err)
	}
}

func TestAPipeInPlaceOfAFolderIsNotRead(t *testing.T) {
	t.Parallel()
	a, place := openFolder(t)
	if err := unix.Mkfifo(filepath.Join(place.folder, logFolder), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Gap(t.Context(), Base{First: "000000010000000000000001"}); err == nil {
		t.Error("a pipe is read as a folder")
	}
}

// TestALinkLeadsNoFurtherThanTheArchive has somebody replace a folder of the archive with a link to others' files.
func TestALinkLeadsNoFurtherThanTheArchive(t *testing.T) {
	t.Parallel()
	a, place := openFolder(t)
	if _, err := a.PutBase(t.Context(), func(io.Writer) (string, error) { return "00000001FFFFFFFF00000001", nil }); err != nil {
		t.Fatal(err)
	}
	others := t.TempDir()
	left := filepath.Join(others, "000000010000000000000001")
	err := errors.Join(os.WriteFile(left, []byte("theirs"), 0o600), os.Symlink(others, filepath.Join(place.folder, logFolder)))
	if err != nil {
		t.Fatal(err)
	}
	if err := a.PutLog(t.Context(), "000000010000000000000002", file(t, "log")); err == nil {
		t.Error("a file of the log is stored outside the archive")
	}
	if _, err := a.Prune(t.Context(), nil, 1); err == nil {
		t.Error("a folder that leads out of the archive is no error")
	}
	if entries, err := os.ReadDir(others); err != nil || len(entries) != 1 {
		t.Errorf("the other folder has %v, %v", entries, err)
	}
}
