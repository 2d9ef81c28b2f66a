package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Files in a folder have other names until they are whole.
const (
	PartPrefix = ".part-"       // begins the names of files that are being written
	PartFor    = 24 * time.Hour // how long a file that nobody writes to keeps such a name; the other machine's clock may differ
)

// folder is a store in a folder, which may be on another machine's disk.
type folder struct{ path string }

// NewFolder returns the store in the folder at path.
func NewFolder(path string) Store { return folder{path} }

// Put syncs the file before it gets its name. It does not create the archive's own folder: if a disk is not mounted, the archive would
// fill the disk below.
func (s folder) Put(_ context.Context, name string, file *os.File) error {
	to := filepath.Join(s.path, name)
	if err := os.Mkdir(filepath.Dir(to), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("the folder of the archive cannot be written: %w", err)
	}
	half, err := os.CreateTemp(filepath.Dir(to), PartPrefix)
	if err != nil {
		return err
	}
	_, err = file.Seek(0, io.SeekStart)
	if err == nil {
		_, err = io.Copy(half, file)
	}
	if err = errors.Join(err, half.Sync(), half.Close()); err == nil {
		err = os.Rename(half.Name(), to)
	}
	if err != nil {
		return errors.Join(err, os.Remove(half.Name()))
	}
	dir, err := os.Open(filepath.Dir(to))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

func (s folder) Get(_ context.Context, name string) (io.ReadCloser, error) {
	f, err := os.Open(filepath.Join(s.path, name))
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Stat(s.path); err != nil {
			return nil, err
		}
		return nil, ErrMissing
	}
	return f, err
}

func (s folder) List(_ context.Context, below string) ([]Entry, error) {
	files, err := os.ReadDir(filepath.Join(s.path, below))
	if errors.Is(err, fs.ErrNotExist) {
		_, err = os.Stat(s.path)
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for _, f := range files {
		if strings.HasPrefix(f.Name(), PartPrefix) {
			continue
		}
		info, err := f.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		entries = append(entries, Entry{Name: below + "/" + f.Name(), Size: info.Size(), Made: info.ModTime()})
	}
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
	return entries, nil
}

func (s folder) Remove(_ context.Context, name string) error {
	if err := os.Remove(filepath.Join(s.path, name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Clean looks in each folder of the archive. Half a copy of the whole database may be large.
func (s folder) Clean(context.Context) error {
	parts, err := filepath.Glob(filepath.Join(s.path, "*", PartPrefix+"*"))
	for _, part := range parts {
		if info, statErr := os.Stat(part); statErr == nil && time.Since(info.ModTime()) > PartFor {
			err = errors.Join(err, os.Remove(part))
		}
	}
	return err
}
