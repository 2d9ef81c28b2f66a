package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A folder has one of these prefixes while its content is being made, and is renamed when that is complete.
const (
	unpackPrefix  = ".unpack-"
	initPrefix    = ".initdb-"
	programPrefix = "postgresql-"
)

// errPath refuses characters that the shell would interpret when initdb passes its own path to it, and those that would break a line of the
// pid file.
var errPath = errors.New("the path of the data folder may not hold quotation marks, $, `, \\ or line breaks")

// prepareFolder makes the data folder and returns its real absolute path. If root gave way to the account, the folder stays root's and the
// account may only pass through it.
func prepareFolder(dir string, a account) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if strings.ContainsAny(dir, "\"$`\\\n\r") {
		return "", errPath
	}
	//nolint:gosec // the account has to pass through the folders above
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	err = os.Mkdir(dir, 0o700)
	made := err == nil
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil || !a.dropped {
		return dir, err
	}
	if err := reachable(filepath.Dir(dir), a); err != nil {
		if made {
			err = errors.Join(err, os.Remove(dir))
		}
		return "", err
	}
	return dir, letThrough(dir, a)
}

// requireCluster makes nothing. It returns ErrNone if the data folder holds no database, or ErrUnreachable if the account cannot get there.
func requireCluster(dir string, a account) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, clusterFolder, "PG_VERSION")); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if a.dropped {
		if err := reachable(filepath.Dir(dir), a); errors.Is(err, ErrUnreachable) {
			return err
		}
	}
	return ErrNone
}

// reachable returns ErrUnreachable when the account cannot enter the folder or one above it.
func reachable(folder string, a account) error {
	for {
		info, err := os.Stat(folder)
		if err != nil {
			return err
		}
		if !a.mayEnter(info) {
			return fmt.Errorf("%w: %s is closed to it; run chmod o+x on that folder, or keep the data elsewhere", ErrUnreachable, folder)
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return nil
		}
		folder = parent
	}
}

// letThrough lets the account's group pass through the data folder, but not list it.
func letThrough(dir string, a account) error {
	info, err := os.Stat(dir)
	if err != nil || a.mayEnter(info) {
		return err
	}
	if !info.IsDir() {
		return &fs.PathError{Op: "open", Path: dir, Err: syscall.ENOTDIR}
	}
	return errors.Join(os.Chown(dir, -1, a.gid), os.Chmod(dir, info.Mode().Perm()&^0o070|0o010))
}

// lockFolder takes the data folder for this program, or returns ErrLocked. The kernel releases it when the program ends, however that
// happens, and a child that was just being started a moment later: so it is tried for a second.
func lockFolder(dir string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for range 100 {
		if err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); !errors.Is(err, unix.EWOULDBLOCK) {
			break
		}
		<-time.After(10 * time.Millisecond)
	}
	if err != nil {
		if errors.Is(err, unix.EWOULDBLOCK) {
			err = ErrLocked
		}
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// unlockFolder releases the data folder at once. If it only closed the file, a child process that is just being started would keep the
// lock: it holds every open file until it executes another program.
func unlockFolder(f *os.File) error {
	return errors.Join(unix.Flock(int(f.Fd()), unix.LOCK_UN), f.Close())
}

// removeLeftovers removes the half-made folders of a program that was killed during its first boot.
func removeLeftovers(ctx context.Context, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), unpackPrefix) && !strings.HasPrefix(e.Name(), initPrefix) {
			continue
		}
		name := filepath.Join(dir, e.Name())
		// initdb dies with the program, but a postgres that it started may still write here.
		if err := evict(ctx, name); err != nil {
			return err
		}
		if err := os.RemoveAll(name); err != nil {
			return err
		}
	}
	return nil
}

// publish syncs a finished folder to disk and then renames it to its final name, so that a folder with that name is complete even after a
// power cut.
func publish(made, final string) error {
	if err := flush(made, unix.Syncfs); err != nil {
		return err
	}
	if err := os.Rename(made, final); err != nil { //nolint:gosec // below the operator's data folder
		return err
	}
	return flush(filepath.Dir(final), unix.Fsync)
}

func flush(folder string, sync func(fd int) error) error {
	f, err := os.Open(folder) //nolint:gosec // below the operator's data folder
	if err != nil {
		return err
	}
	return errors.Join(sync(int(f.Fd())), f.Close())
}
