package embedded

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
)

// restoredMark is a file that marks a cluster as restored from a backup until somebody acknowledges that. It holds the backup's time.
const restoredMark = "forecourt.restored"

// ErrCluster means that a data folder already has a database.
var ErrCluster = errors.New("there is a database in this data folder already")

// ErrNoBackup means that a file is not a backup, or not a complete one.
var ErrNoBackup = errors.New("it is not a whole backup")

// Verify reads a whole backup and returns its time. Error: ErrNoBackup.
func Verify(files []string, r io.Reader) (taken time.Time, err error) {
	return walkBackup(files, r, func(*tar.Header, io.Reader) error { return nil })
}

// Restore puts the cluster of a backup into a data folder without one, together with those of the named files that are in the backup.
// It is all or nothing: the backup is read to its end before the folder is touched. It returns the time of the backup. The next
// Start replays the log, and from then on Restored reports that the data is old. Errors: ErrCluster, ErrNoBackup, ErrLocked,
// ErrUnreachable.
func Restore(dir string, files []string, r io.ReadSeeker) (taken time.Time, err error) {
	return restore(dir, files, r, func(_ string, taken time.Time) (time.Time, error) { return taken, nil })
}

// restore unpacks the cluster into a temporary folder, calls replay there and then moves the cluster to its place. It returns and records
// the time that replay returns.
func restore(
	dir string, files []string, r io.ReadSeeker, replay func(tmp string, taken time.Time) (time.Time, error),
) (taken time.Time, err error) {
	if _, err := Verify(files, r); err != nil {
		return taken, err
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return taken, err
	}
	a, err := serverAccount()
	if err != nil {
		return taken, err
	}
	if dir, err = prepareFolder(dir, a); err != nil {
		return taken, err
	}
	lock, err := lockFolder(dir)
	if err != nil {
		return taken, err
	}
	defer func() { err = errors.Join(err, unlockFolder(lock)) }()
	cluster := filepath.Join(dir, clusterFolder)
	if _, err := os.Stat(cluster); !errors.Is(err, fs.ErrNotExist) {
		return taken, errors.Join(ErrCluster, err)
	}
	if err := removeLeftovers(dir); err != nil {
		return taken, err
	}
	tmp, err := os.MkdirTemp(dir, initPrefix)
	if err != nil {
		return taken, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	if taken, err = readBackup(tmp, files, r); err != nil {
		return taken, err
	}
	made := filepath.Join(tmp, clusterFolder)
	if err := errors.Join(a.give(made), os.Lchown(tmp, a.uid, a.gid)); err != nil {
		return taken, err
	}
	if taken, err = replay(tmp, taken); err != nil {
		return taken, err
	}
	mark := filepath.Join(made, restoredMark)
	if err := os.WriteFile(mark, []byte(taken.UTC().Format(time.RFC3339Nano)), 0o600); err != nil {
		return taken, err
	}
	if err := errors.Join(os.Lchown(mark, a.uid, a.gid), keepFiles(tmp, dir, files)); err != nil {
		return taken, err
	}
	return taken, publish(made, cluster)
}

// Restored reports whether the cluster in a data folder came from a backup, and returns the backup's time, until Acknowledge is called.
func Restored(dir string) (taken time.Time, restored bool, err error) {
	text, err := os.ReadFile(filepath.Join(dir, clusterFolder, restoredMark))
	if errors.Is(err, fs.ErrNotExist) {
		return taken, false, nil
	}
	if err == nil {
		taken, err = time.Parse(time.RFC3339Nano, string(text))
	}
	return taken, err == nil, err
}

// Acknowledge forgets that the cluster came from a backup.
func Acknowledge(dir string) error {
	return os.Remove(filepath.Join(dir, clusterFolder, restoredMark))
}

// readBackup unpacks a backup below tmp.
func readBackup(tmp string, files []string, r io.Reader) (taken time.Time, err error) {
	root, err := os.OpenRoot(tmp)
	if err != nil {
		return taken, err
	}
	defer root.Close()
	return walkBackup(files, r, func(h *tar.Header, content io.Reader) error { return restoreEntry(root, h, content) })
}

// walkBackup calls visit for each entry of a backup. It returns the backup's time only after it has read everything, because the checksums
// are at the end. Any error that does not come from visit is ErrNoBackup.
func walkBackup(files []string, r io.Reader, visit func(*tar.Header, io.Reader) error) (taken time.Time, err error) {
	whole := newDigestReader(r)
	zr, err := zstd.NewReader(whole, zstd.WithDecoderMaxMemory(256<<20))
	if err != nil {
		return taken, fmt.Errorf("%w: %w", ErrNoBackup, err)
	}
	defer zr.Close()
	end := ""
	tr := tar.NewReader(zr)
	for end == "" {
		h, err := tr.Next()
		if err != nil { // an archive may end only after its last entry
			return taken, fmt.Errorf("%w: %w", ErrNoBackup, err)
		}
		switch {
		case h.Name == backupEnd || h.Name == undigestedEnd:
			end = h.Name
			text, err := io.ReadAll(io.LimitReader(tr, 64))
			if err == nil {
				taken, err = time.Parse(time.RFC3339Nano, string(text))
			}
			if err != nil {
				return taken, fmt.Errorf("%w: %w", ErrNoBackup, err)
			}
		case !strings.HasPrefix(h.Name, clusterFolder+"/") && !slices.Contains(files, h.Name):
			return taken, fmt.Errorf("%w: it holds %q", ErrNoBackup, h.Name)
		default:
			if err := visit(h, tr); err != nil {
				return taken, err
			}
		}
	}
	if _, err := tr.Next(); !errors.Is(err, io.EOF) {
		return taken, fmt.Errorf("%w: something follows its end", ErrNoBackup)
	}
	for _, rest := range []io.Reader{zr, whole} {
		if _, err := io.Copy(io.Discard, rest); err != nil {
			return taken, fmt.Errorf("%w: %w", ErrNoBackup, err)
		}
	}
	if end == backupEnd && !whole.sealed {
		return taken, fmt.Errorf("%w: its checksum is missing", ErrNoBackup)
	}
	return taken, nil
}

func restoreEntry(root *os.Root, h *tar.Header, content io.Reader) error {
	if h.Typeflag == tar.TypeDir {
		return root.MkdirAll(strings.TrimSuffix(h.Name, "/"), 0o700)
	}
	if err := root.MkdirAll(path.Dir(h.Name), 0o700); err != nil {
		return err
	}
	f, err := root.OpenFile(h.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(f, content); err != nil {
		return errors.Join(fmt.Errorf("%w: %w", ErrNoBackup, err), f.Close())
	}
	return f.Close()
}

// keepFiles puts the files beside the cluster. A file that already exists must be identical.
func keepFiles(tmp, dir string, files []string) error {
	for _, name := range files {
		content, err := os.ReadFile(filepath.Join(tmp, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		there, err := os.ReadFile(filepath.Join(dir, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			err = os.Rename(filepath.Join(tmp, name), filepath.Join(dir, name))
		case err == nil && string(there) != string(content):
			err = fmt.Errorf("%s in the data folder is not the one of the backup", name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
