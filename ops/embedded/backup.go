package embedded

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/klauspost/compress/zstd"
)

// A backup is a tar.zst that holds the cluster under its name, the requested files of the data folder, and last a file that only a
// complete backup has. A digest follows; backups of earlier releases end without one.
const (
	clusterFolder = "cluster"
	backupEnd     = "forecourt-backup-2"
	undigestedEnd = "forecourt-backup-1"
)

// BackupInfo says what a backup holds.
type BackupInfo struct {
	Taken time.Time // the backup holds everything that was committed before
	First string    // first WAL file that it needs and holds
}

// Backup writes a copy of the running server's cluster in a data folder to w, together with those of the named files that exist in
// the folder. Writes to the database continue meanwhile: the copy holds everything that was committed before Taken, and some of
// what came after. dsn is the address of a database of that server, for the role that owns it.
func Backup(ctx context.Context, dsn, dir string, files []string, w io.Writer) (made BackupInfo, err error) {
	cfg, err := pgconn.ParseConfig(dsn)
	if err != nil {
		return made, err
	}
	cfg.RuntimeParams["replication"] = "true"
	conn, err := pgconn.ConnectConfig(ctx, cfg)
	if err != nil {
		return made, err
	}
	// The session owns the backup; when it ends, PostgreSQL releases what it reserved.
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	made.Taken = time.Now()
	err = writeArchive(w, made.Taken, func(tw *tar.Writer) error {
		if made.First, err = copyCluster(ctx, conn, tw); err != nil {
			return err
		}
		for _, name := range files {
			content, err := os.ReadFile(filepath.Join(dir, name))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err := errors.Join(err, writeText(tw, name, string(content))); err != nil {
				return err
			}
		}
		return nil
	})
	return made, err
}

// writeArchive writes what fill adds, the time of the backup and the digest.
func writeArchive(w io.Writer, taken time.Time, fill func(*tar.Writer) error) error {
	digest := sha256.New()
	zw, err := zstd.NewWriter(io.MultiWriter(w, digest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	tw := tar.NewWriter(zw)
	if err := fill(tw); err != nil {
		return errors.Join(err, zw.Close())
	}
	err = writeText(tw, backupEnd, taken.UTC().Format(time.RFC3339Nano))
	if err := errors.Join(err, tw.Close(), zw.Close()); err != nil {
		return err
	}
	_, err = w.Write(digest.Sum([]byte(digestHeader)))
	return err
}

// copyCluster has PostgreSQL make a base backup, with the log that it needs, and returns the first file of that log.
func copyCluster(ctx context.Context, conn *pgconn.PgConn, tw *tar.Writer) (first string, err error) {
	// The slot keeps the log from being thrown away until the session ends.
	if err := conn.Exec(ctx, "CREATE_REPLICATION_SLOT forecourt_backup TEMPORARY PHYSICAL (RESERVE_WAL)").Close(); err != nil {
		return "", fmt.Errorf("another backup may be running: %w", err)
	}
	made, to := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		// It holds its part of the log, so it need not wait until that is archived. A damaged page must not prevent every copy.
		_, err := conn.CopyTo(ctx, messages{to},
			"BASE_BACKUP (LABEL 'forecourt', CHECKPOINT 'fast', WAL, WAIT 'false', MANIFEST 'no', VERIFY_CHECKSUMS 'false')")
		_ = to.CloseWithError(err)
	}()
	if first, err = addCluster(tw, tar.NewReader(made)); err == nil {
		_, err = io.Copy(io.Discard, made)
	}
	_ = made.CloseWithError(err) // ends the copy if that has not ended
	<-ended
	return first, err
}

// messages takes those of a base backup and passes on the content of its archive: the first byte of each says what the rest is.
type messages struct{ archive io.Writer }

func (m messages) Write(message []byte) (int, error) {
	if len(message) == 0 || message[0] != 'd' {
		return len(message), nil
	}
	n, err := m.archive.Write(message[1:])
	return n + 1, err
}

// startOfLog finds the first WAL file in the label of a base backup.
var startOfLog = regexp.MustCompile(`^START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)`)

// addCluster adds the files of a base backup, except for what this program notes beside them.
func addCluster(tw *tar.Writer, made *tar.Reader) (first string, err error) {
	for {
		h, err := made.Next()
		if errors.Is(err, io.EOF) && first != "" {
			return first, nil
		}
		if err != nil {
			return "", err
		}
		name := path.Join(clusterFolder, h.Name) //nolint:gosec // it only goes to another archive
		switch {
		case h.Name == restoredMark || h.Name == "forecourt.archived" || h.Name == "forecourt.gap":
			continue
		case h.Typeflag == tar.TypeDir:
			err = tw.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: name + "/", Mode: 0o700})
		case h.Typeflag != tar.TypeReg:
			err = fmt.Errorf("%s is not a file: tablespaces are not backed up", h.Name)
		case h.Name == "backup_label":
			first, err = addLabel(tw, made, h.Size)
		default:
			err = writeFile(tw, name, h.Size, made)
		}
		if err != nil {
			return "", err
		}
	}
}

// addLabel adds the label, which comes first, and returns the first WAL file that it names.
func addLabel(tw *tar.Writer, made io.Reader, size int64) (first string, err error) {
	var label bytes.Buffer
	err = writeFile(tw, path.Join(clusterFolder, "backup_label"), size, io.TeeReader(made, &label))
	found := startOfLog.FindSubmatch(label.Bytes())
	if err == nil && found == nil {
		err = errors.New("the label of the base backup does not name the start of the log")
	}
	if err != nil {
		return "", err
	}
	return string(found[1]), nil
}

func writeFile(tw *tar.Writer, name string, size int64, content io.Reader) error {
	if err := tw.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o600}); err != nil {
		return err
	}
	_, err := io.Copy(tw, content)
	return err
}

func writeText(tw *tar.Writer, name, text string) error {
	return writeFile(tw, name, int64(len(text)), strings.NewReader(text))
}
