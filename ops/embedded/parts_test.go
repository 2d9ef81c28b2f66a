package embedded

import (
	"archive/tar"
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"forecourt/internal/kit/check"
)

func TestBackoff(t *testing.T) {
	t.Parallel()
	for failed, want := range map[int]time.Duration{
		0: 0, 1: 20 * time.Millisecond, 2: 40 * time.Millisecond, 10: 5 * time.Second, 1000: 5 * time.Second,
	} {
		check.Equal(t, backoff(failed), want, "after %d failures", failed)
	}
}

func TestBoundedLog(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "postgres.log")
	for range 2 { // the second log continues where the first ended
		l, err := openBoundedLog(name, 100)
		check.Must(t, err)
		for range 25 {
			if n, err := l.Write([]byte("0123456\n")); n != 8 || err != nil {
				t.Fatal(n, err)
			}
		}
		if want := "0123456 | 0123456"; !strings.HasSuffix(l.Tail(), want) || len(l.Tail()) > 3*tailSize {
			t.Errorf("tail %q", l.Tail())
		}
		check.NoError(t, errors.Join(l.Close(), l.Close()))
	}
	sizes := map[string]int64{}
	for _, n := range []string{name, name + ".1"} {
		info, err := os.Stat(n)
		check.Must(t, err)
		sizes[filepath.Base(n)] = info.Size()
	}
	if diff := cmp.Diff(map[string]int64{"postgres.log": 16, "postgres.log.1": 96}, sizes); diff != "" {
		t.Error(diff)
	}
}

func TestSocketFolder(t *testing.T) {
	t.Parallel()
	for name, inside := range map[string]bool{"short": true, strings.Repeat("x", 80): false, "with,comma": false} {
		dir := filepath.Join(newFolder(t), name)
		check.Must(t, os.Mkdir(dir, 0o700))
		a, err := serverAccount()
		check.Must(t, err)
		first, second := &Server{account: a}, &Server{account: a}
		check.Must(t, errors.Join(first.prepareSocket(dir), second.prepareSocket(dir)))
		if got := strings.HasPrefix(first.socket, dir); got != inside || first.tempDir == inside {
			t.Errorf("%s: the socket is in %s", name, first.socket)
		}
		check.Equal(t, first.socket, second.socket, "%s: the folder of the second program", name)
		info, err := os.Stat(first.socket)
		if err != nil || info.Mode().Perm() != 0o700 || !a.owns(info) || len(first.socket) > socketLimit {
			t.Errorf("%s: %v, %v", name, info, err)
		}
		if inside {
			continue
		}
		if err := os.Chmod(first.socket, 0o777); err != nil { // now anybody may have made it
			t.Fatal(err)
		}
		check.Error(t, (&Server{account: a}).prepareSocket(dir), "%s: a folder open to others was used", name)
		check.Must(t, os.Remove(first.socket))
	}
}

// pack makes an archive like the one in the binary, with the given content.
func pack(t *testing.T, content string) fs.FS {
	t.Helper()
	var packed bytes.Buffer
	zw, err := zstd.NewWriter(&packed)
	check.Must(t, err)
	tw := tar.NewWriter(zw)
	for _, h := range []tar.Header{
		{Name: "bin/postgres", Mode: 0o755},
		{Name: "lib/libpq.so.5", Typeflag: tar.TypeSymlink, Linkname: "libpq.so.5.18"},
	} {
		if h.Typeflag == 0 {
			h.Size = int64(len(content))
		}
		check.Must(t, tw.WriteHeader(&h))
		if h.Size > 0 {
			_, err := tw.Write([]byte(content))
			check.Must(t, err)
		}
	}
	check.Must(t, errors.Join(tw.Close(), zw.Close()))
	return fstest.MapFS{archive: {Data: packed.Bytes()}}
}

func TestPackedProgram(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	got, err := unpackedProgram(fstest.MapFS{}, dir, nil)
	check.Error(t, err, "a binary without an archive gave %q", got)
	var homes []string
	for _, content := range []string{"18", "18", "19"} {
		packed := pack(t, content)
		bin, err := unpackedProgram(packed, dir, func(home string) error { return unpack(packed, dir, home) })
		check.Must(t, err)
		home := filepath.Dir(bin)
		homes = append(homes, home)
		if data, err := os.ReadFile(filepath.Join(bin, "postgres")); err != nil || string(data) != content {
			t.Errorf("unpacked %q, %v", data, err)
		}
		target, err := os.Readlink(filepath.Join(home, "lib", "libpq.so.5"))
		check.Equal(t, target, "libpq.so.5.18", "the link leads to, %v", err)
	}
	if homes[0] != homes[1] || homes[1] == homes[2] {
		t.Errorf("the folder's name does not depend on the content alone: %v", homes)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("want only the newest folder: %v, %v", entries, err)
	}
}

func TestUnpackRefusesNamesOutside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var packed bytes.Buffer
	tw := tar.NewWriter(&packed)
	check.Must(t, errors.Join(tw.WriteHeader(&tar.Header{Name: "../escaped", Mode: 0o644}), tw.Close()))
	check.Error(t, extract(tar.NewReader(&packed), filepath.Join(dir)), "a name outside the folder was accepted")
}
