package embedded

import (
	"archive/tar"
	"context"
	"crypto/sha256"
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
func Verify(files []string, r io.ReadSeeker) (taken time.Time, err error) {
	return walkBackup(files, r, func(*tar.Header, io.Reader) error { return nil })
}

// Recover restores a backup into a data folder without a cluster, together with those of the named files that are in the backup, and
// replays a log on top. It is all or nothing: the backup is read to its end before the folder is touched, and if Recover fails, it leaves
// nothing behind but an unpacked PostgreSQL. It returns the time of the last commit that it replayed, or that of the backup if it replayed
// none; Restored reports that time from then on. Errors: ErrCluster, ErrNoBackup, ErrLocked, ErrUnreachable, ErrShort, and what the command
// of the Recovery says.
func Recover(ctx context.Context, dir string, files []string, base io.ReadSeeker, r Recovery) (reached time.Time, err error) {
	if _, err := Verify(files, base); err != nil {
		return reached, err
	}
	a, err := serverAccount()
	if err != nil {
		return reached, err
	}
	if dir, err = prepareFolder(dir, a); err != nil {
		return reached, err
	}
	lock, err := lockFolder(dir)
	if err != nil {
		return reached, err
	}
	defer func() { err = errors.Join(err, unlockFolder(lock)) }()
	cluster := filepath.Join(dir, clusterFolder)
	if _, err := os.Stat(cluster); !errors.Is(err, fs.ErrNotExist) {
		return reached, errors.Join(ErrCluster, err)
	}
	if err := removeLeftovers(ctx, dir); err != nil {
		return reached, err
	}
	tmp, err := os.MkdirTemp(dir, initPrefix)
	if err != nil {
		return reached, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	if reached, err = unpackBackup(tmp, files, base, a); err != nil {
		return reached, err
	}
	made := filepath.Join(tmp, clusterFolder)
	if reached, err = replay(ctx, tmp, reached, r); err != nil {
		return reached, err
	}
	mark := []byte(reached.UTC().Format(time.RFC3339Nano))
	err = errors.Join(settleLog(filepath.Join(made, "pg_wal")), os.WriteFile(filepath.Join(made, restoredMark), mark, 0o600), a.give(made))
	if err == nil {
		err = keepFiles(tmp, dir, files)
	}
	if err == nil {
		err = publish(made, cluster)
	}
	return reached, err
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

// unpackBackup unpacks a backup below tmp and prepares its cluster for the account.
func unpackBackup(tmp string, files []string, r io.ReadSeeker, a account) (taken time.Time, err error) {
	root, err := os.OpenRoot(tmp)
	if err != nil {
		return taken, err
	}
	defer root.Close()
	taken, err = walkBackup(files, r, func(h *tar.Header, content io.Reader) error { return restoreEntry(root, h, content) })
	if err == nil {
		err = root.WriteFile(path.Join(clusterFolder, "recovery.signal"), nil, 0o600)
	}
	if err == nil {
		err = errors.Join(a.give(filepath.Join(tmp, clusterFolder)), os.Lchown(tmp, a.uid, a.gid))
	}
	return taken, err
}

// walkBackup calls visit for each entry of a backup. It returns the backup's time only after it has read everything, because the checksums
// are at the end. Any error that does not come from visit is ErrNoBackup.
func walkBackup(files []string, r io.ReadSeeker, visit func(*tar.Header, io.Reader) error) (taken time.Time, err error) {
	content, digest, err := cutDigest(r)
	if err != nil {
		return taken, fmt.Errorf("%w: %w", ErrNoBackup, err)
	}
	sum := sha256.New()
	content = io.TeeReader(content, sum)
	zr, err := zstd.NewReader(content, zstd.WithDecoderMaxMemory(256<<20))
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
	for _, rest := range []io.Reader{zr, content} {
		if _, err := io.Copy(io.Discard, rest); err != nil {
			return taken, fmt.Errorf("%w: %w", ErrNoBackup, err)
		}
	}
	if end == backupEnd && digest != string(sum.Sum(nil)) {
		return taken, fmt.Errorf("%w: its checksum is missing or differs", ErrNoBackup)
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
