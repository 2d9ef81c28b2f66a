package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"forecourt/internal/kit/check"
)

// fakePackage lays out a small package like the real one and returns its folder.
func fakePackage(t *testing.T) string {
	t.Helper()
	pkg := t.TempDir()
	for name, content := range map[string]string{
		"package.json":                                             `{"version":"18.0.0"}`,
		"native/pg-symlinks.json":                                  `[{"source":"native/lib/libpq.so.5.18","target":"native/lib/libpq.so.5"},{"source":"native/lib/libpq.so.5.18","target":"native/lib/libpq.so"},{"source":"native/lib/libecpg.so.6.18","target":"native/lib/libecpg.so.6"}]`,
		"native/bin/postgres":                                      "server",
		"native/lib/libpq.so.5.18":                                 "client",
		"native/lib/libpq.a":                                       "static",
		"native/lib/libecpg.so.6.18":                               "ecpg",
		"native/lib/postgresql/plpgsql.so":                         "language",
		"native/lib/postgresql/plperl.so":                          "language",
		"native/lib/postgresql/pgxs/src/Makefile.global":           "build",
		"native/share/postgresql/postgres.bki":                     "# PostgreSQL 18",
		"native/share/postgresql/psqlrc.sample":                    "psql",
		"native/share/postgresql/extension/plpgsql.control":        "x",
		"native/share/postgresql/extension/hstore.control":         "x",
		"native/share/postgresql/timezone/Australia/Sydney":        "zone",
		"native/share/postgresql/extension/pg_stat_statements.sql": "x",
	} {
		file := filepath.Join(pkg, name)
		check.Must(t, errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(content), 0o600)))
	}
	return pkg
}

func TestPackPostgres(t *testing.T) {
	t.Parallel()
	pkg, out := fakePackage(t), filepath.Join(t.TempDir(), "dist", "postgres.tar.zst")
	check.Must(t, packPostgres(pkg, out))
	first := readFile(t, out)

	t.Run("only what the server loads is packed, with its links", func(t *testing.T) {
		want := []string{
			"-rwxr-xr-x bin/postgres",
			"Lrwxrwxrwx lib/libpq.so.5 -> libpq.so.5.18",
			"-rw-r--r-- lib/libpq.so.5.18",
			"-rw-r--r-- lib/postgresql/plpgsql.so",
			"-rw-r--r-- share/postgresql/extension/pg_stat_statements.sql",
			"-rw-r--r-- share/postgresql/extension/plpgsql.control",
			"-rw-r--r-- share/postgresql/postgres.bki",
			"-rw-r--r-- share/postgresql/timezone/Australia/Sydney",
		}
		if diff := cmp.Diff(want, listPack(t, first)); diff != "" {
			t.Error(diff)
		}
	})

	t.Run("the same package makes the same bytes", func(t *testing.T) {
		check.Must(t, packPostgres(pkg, out))
		if !bytes.Equal(first, readFile(t, out)) {
			t.Error("the bytes differ")
		}
	})
	t.Run("a missing package is an error", func(t *testing.T) {
		check.ErrorIs(t, packPostgres(t.TempDir(), out), os.ErrNotExist, "packPostgres")
	})
}

func listPack(t *testing.T, packed []byte) []string {
	t.Helper()
	zr, err := zstd.NewReader(bytes.NewReader(packed))
	check.Must(t, err)
	defer zr.Close()
	var names []string
	for tr := tar.NewReader(zr); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return names
		}
		check.Must(t, err)
		line := h.FileInfo().Mode().String() + " " + h.Name
		if h.Linkname != "" {
			line += " -> " + h.Linkname
		}
		names = append(names, line)
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	check.Must(t, err)
	return data
}
