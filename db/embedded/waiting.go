package embedded

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Backlog is the part of PostgreSQL's log that is complete and not archived yet.
type Backlog struct {
	Files int
	Bytes uint64
	Since time.Time // when the oldest file was completed; zero if none waits
}

// segmentBytes is the size of a file of the log.
const segmentBytes = 16 << 20

// Waiting returns the backlog of a data folder.
func Waiting(dir string) (Backlog, error) {
	var b Backlog
	status := filepath.Join(dir, clusterFolder, "pg_wal", "archive_status")
	entries, err := os.ReadDir(status)
	if errors.Is(err, fs.ErrNotExist) {
		return b, nil
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".ready") {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // archived meanwhile
		}
		if err != nil {
			return b, err
		}
		b.Files++
		b.Bytes += segmentBytes
		if b.Since.IsZero() || info.ModTime().Before(b.Since) {
			b.Since = info.ModTime()
		}
	}
	return b, err
}

// System returns the system identifier that PostgreSQL gave a cluster; a restored copy has the same one. In every version the control file
// begins with it.
func System(dir string) (string, error) {
	f, err := os.Open(filepath.Join(dir, clusterFolder, controlFile))
	if err != nil {
		return "", err
	}
	defer f.Close()
	var number [8]byte
	if _, err := io.ReadFull(f, number[:]); err != nil {
		return "", err
	}
	return strconv.FormatUint(binary.NativeEndian.Uint64(number[:]), 10), nil
}
