package archive

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"syscall"
	"time"
)

// Files in a folder have other names until they are whole.
const (
	partPrefix = ".part-"
	partFor    = 24 * time.Hour // how long a file that nobody writes to keeps such a name; the other machine's clock may differ
)

// folder is a store in a folder, which may be on another machine's disk. Somebody else may write there, too, but no link leads out of it.
type folder struct{ *os.Root }

// openFolder does not create the folder: if a disk is not mounted, the archive would fill the disk below.
func openFolder(name string) (folder, error) {
	root, err := os.OpenRoot(name)
	if err != nil {
		err = fmt.Errorf("the folder of the archive: %w", err)
	}
	return folder{root}, err
}

// put syncs the file before it gets its name.
func (f folder) put(_ context.Context, name string, body *io.SectionReader) error {
	if err := f.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	part := path.Join(path.Dir(name), partPrefix+rand.Text())
	half, err := f.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(half, body)
	if err = errors.Join(err, half.Sync(), half.Close()); err == nil {
		err = f.Link(part, name) // a rename would replace a file
	}
	if errors.Is(err, fs.ErrExist) {
		err = ErrExists
	}
	return errors.Join(err, f.Remove(part), f.settle(name))
}

// settle syncs the folders above a file, without which a power cut may take its name. What root has made there gets the owner of the
// archive's folder: PostgreSQL's user, who is not root, adds files, too.
func (f folder) settle(name string) error {
	top, err := f.Stat(".")
	if err != nil {
		return err
	}
	owner := top.Sys().(*syscall.Stat_t)
	for ; name != "."; name = path.Dir(name) {
		if os.Geteuid() == 0 {
			if err := f.Lchown(name, int(owner.Uid), int(owner.Gid)); err != nil {
				return err
			}
		}
		above, err := f.Open(path.Dir(name))
		if err != nil {
			return err
		}
		if err := errors.Join(above.Sync(), above.Close()); err != nil {
			return err
		}
	}
	return nil
}

func (f folder) get(_ context.Context, name string) (io.ReadCloser, error) {
	file, err := f.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrMissing
	}
	return file, err
}

// list leaves out parts, and removes those that killed programs left.
func (f folder) list(_ context.Context, below string) (names []string, err error) {
	entries, err := fs.ReadDir(f.FS(), path.Clean(below))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		switch info, infoErr := e.Info(); {
		case e.IsDir():
			names = append(names, e.Name()+"/")
		case !strings.HasPrefix(e.Name(), partPrefix):
			names = append(names, e.Name())
		case infoErr == nil && time.Since(info.ModTime()) > partFor:
			_ = f.Remove(path.Join(below, e.Name())) // it only takes room
		}
	}
	return names, err
}

func (f folder) remove(_ context.Context, name string) error {
	if err := f.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
