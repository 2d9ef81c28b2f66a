package store

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Files in a folder have other names until they are whole.
const (
	PartPrefix = ".part-"       // begins the names of files that are being written
	PartFor    = 24 * time.Hour // how long a file that nobody writes to keeps such a name; the other machine's clock may differ
)

// folder is a store in a folder, which may be on another machine's disk. Somebody else may write there, too: links that lead out of the folder
// are not followed, and nothing but files is opened.
type folder struct{ path string }

// NewFolder returns the store in the folder at path.
func NewFolder(path string) Store { return folder{path} }

// Put syncs the file before it gets its name. It does not create the archive's own folder: if a disk is not mounted, the archive would
// fill the disk below.
func (s folder) Put(_ context.Context, name string, file *os.File) error {
	root, err := os.OpenRoot(s.path)
	if err != nil {
		return fmt.Errorf("the folder of the archive cannot be written: %w", err)
	}
	defer root.Close()
	below := path.Dir(name)
	if err := root.Mkdir(below, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("the folder of the archive cannot be written: %w", err)
	}
	part := path.Join(below, PartPrefix+rand.Text())
	half, err := root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("the folder of the archive cannot be written: %w", err)
	}
	_, err = file.Seek(0, io.SeekStart)
	if err == nil {
		_, err = io.Copy(half, file)
	}
	if err = errors.Join(err, half.Sync(), half.Close()); err == nil {
		err = root.Rename(part, name)
	}
	if err != nil {
		return errors.Join(err, root.Remove(part))
	}
	dir, err := root.Open(below)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

func (s folder) Get(_ context.Context, name string) (io.ReadCloser, error) {
	root, err := os.OpenRoot(s.path)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0) // a pipe would wait for a writer
	if errors.Is(err, unix.EAGAIN) {                              // it is a file, but another program has a lease on it, such as a file server
		f, err = root.Open(name)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrMissing
	}
	if err != nil {
		return nil, err
	}
	switch info, err := f.Stat(); {
	case err != nil:
		return nil, errors.Join(err, f.Close())
	case !info.Mode().IsRegular():
		return nil, errors.Join(fmt.Errorf("%s in the archive is not a file", name), f.Close())
	}
	return stored{f}, nil
}

// stored is a file whose disk may be away, as one over the network.
type stored struct{ *os.File }

func (s stored) Read(p []byte) (int, error) {
	n, err := s.File.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return n, err
}

// WriteTo has io.Copy use Read.
func (s stored) WriteTo(w io.Writer) (int64, error) {
	return io.Copy(w, struct{ io.Reader }{s})
}

func (s folder) List(_ context.Context, below string) ([]Entry, error) {
	root, err := os.OpenRoot(s.path)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	files, err := readDir(root, below)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for _, f := range files {
		if strings.HasPrefix(f.Name(), PartPrefix) || !f.Type().IsRegular() {
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

// readDir lists a folder. It does not wait for a pipe that has taken the folder's place.
func readDir(root *os.Root, name string) ([]fs.DirEntry, error) {
	dir, err := root.OpenFile(name, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.ReadDir(-1)
}

func (s folder) Remove(_ context.Context, name string) error {
	root, err := os.OpenRoot(s.path)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Clean looks in each folder of the archive. Half a copy of the whole database may be large.
func (s folder) Clean(context.Context) error {
	root, err := os.OpenRoot(s.path)
	if err != nil {
		return err
	}
	defer root.Close()
	folders, err := readDir(root, ".")
	for _, below := range folders {
		if below.IsDir() {
			err = errors.Join(err, clean(root, below.Name()))
		}
	}
	return err
}

func clean(root *os.Root, below string) error {
	files, err := readDir(root, below)
	if errors.Is(err, fs.ErrPermission) {
		return nil // it is not ours, such as the lost+found of a disk
	}
	for _, f := range files {
		if !strings.HasPrefix(f.Name(), PartPrefix) || !f.Type().IsRegular() {
			continue
		}
		if info, infoErr := f.Info(); infoErr == nil && time.Since(info.ModTime()) > PartFor {
			err = errors.Join(err, root.Remove(path.Join(below, f.Name())))
		}
	}
	return err
}
