package embedded

import (
	"archive/tar"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/klauspost/compress/zstd"
)

const archive = "dist/postgres.tar.zst"

//go:embed all:dist
var dist embed.FS

// unpackedProgram returns the folder of the programs of the PostgreSQL inside the binary, which it unpacks below dir unless that was done
// before. It removes any that another version of this program unpacked.
func unpackedProgram(packed fs.FS, dir string, unpack func(home string) error) (bin string, err error) {
	name, err := archiveName(packed)
	if err != nil {
		return "", fmt.Errorf("this program was built without a PostgreSQL: %w", err)
	}
	home := filepath.Join(dir, name)
	if _, err := os.Stat(home); errors.Is(err, fs.ErrNotExist) {
		if err := unpack(home); err != nil {
			return "", fmt.Errorf("unpack PostgreSQL: %w", err)
		}
	}
	return filepath.Join(home, "bin"), removeOthers(dir, name)
}

// archiveName names the unpacked folder after the archive's size and the checksum that zstd puts at its end. Reading the whole
// archive at every boot would take time and count as the program's memory.
func archiveName(packed fs.FS) (string, error) {
	f, err := packed.Open(archive)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	end, ok := f.(io.ReaderAt)
	if !ok || info.Size() < 4 {
		return "", fmt.Errorf("%s has no end to read", archive)
	}
	sum := make([]byte, 4)
	if _, err := end.ReadAt(sum, info.Size()-int64(len(sum))); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s%08x-%d", programPrefix, binary.LittleEndian.Uint32(sum), info.Size()), nil
}

func removeOthers(dir, name string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), programPrefix) && e.Name() != name {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// unpack writes the archive's content to home, all or nothing.
func unpack(packed fs.FS, dir, home string) error {
	f, err := packed.Open(archive)
	if err != nil {
		return err
	}
	defer f.Close()
	zr, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		return err
	}
	defer zr.Close()
	tmp, err := os.MkdirTemp(dir, unpackPrefix)
	if err != nil {
		return err
	}
	defer syscall.Umask(syscall.Umask(0o022)) // the account has to read everything, whatever the program's umask is
	//nolint:gosec // as above
	if err := errors.Join(os.Chmod(tmp, 0o755), extract(tar.NewReader(zr), tmp)); err != nil {
		return errors.Join(err, os.RemoveAll(tmp))
	}
	return publish(tmp, home)
}

func extract(tr *tar.Reader, dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = extractEntry(root, h, tr)
		}
		if err != nil {
			return err
		}
	}
}

func extractEntry(root *os.Root, h *tar.Header, content io.Reader) error {
	if err := root.MkdirAll(path.Dir(h.Name), 0o755); err != nil {
		return err
	}
	if h.Typeflag == tar.TypeSymlink {
		return root.Symlink(h.Linkname, h.Name)
	}
	f, err := root.OpenFile(h.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, h.FileInfo().Mode().Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(f, content)
	return errors.Join(err, f.Close())
}
