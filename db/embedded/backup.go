package embedded

import (
	"archive/tar"
	"bytes"
	"context"
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

	"github.com/jackc/pgx/v5"
	"github.com/klauspost/compress/zstd"
)

// A backup is a tar.zst that holds the cluster under its name, the requested files of the data folder, and last a file that only a
// complete backup has. A digest follows; backups of earlier releases end without one.
const (
	clusterFolder = "cluster"
	backupEnd     = "forecourt-backup-2"
	undigestedEnd = "forecourt-backup-1"
	controlFile   = "global/pg_control"
)

// BackupInfo says what a backup holds.
type BackupInfo struct {
	Taken       time.Time // the backup holds everything that was committed before
	First, Last string    // first and last file of the log that it needs and holds
}

// Backup writes a copy of the running server's cluster in a data folder to w, together with those of the named files that exist in
// the folder. Writes to the database continue meanwhile: the copy holds everything that was committed before Taken, and some of
// what came after. dsn is the address of a database of that server.
func Backup(ctx context.Context, dsn, dir string, files []string, w io.Writer) (made BackupInfo, err error) {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return made, err
	}
	// The session owns the backup; when it ends, PostgreSQL releases what it reserved.
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	cluster := filepath.Join(dir, clusterFolder)
	b, err := startBackup(ctx, conn, cluster)
	if err != nil {
		return made, err
	}
	err = writeArchive(w, b.began, func(tw *tar.Writer) error {
		if err := copyCluster(tw, cluster); err != nil {
			return err
		}
		if err := b.stop(ctx, tw); err != nil {
			return err
		}
		for _, name := range files {
			if err := copyFile(tw, filepath.Join(dir, name), name); err != nil {
				return err
			}
		}
		return nil
	})
	return BackupInfo{b.began, b.first, b.last}, err
}

// writeArchive writes what fill adds, the time of the backup and the digest.
func writeArchive(w io.Writer, taken time.Time, fill func(*tar.Writer) error) error {
	digest := newDigestWriter(w)
	zw, err := zstd.NewWriter(digest, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	tw := tar.NewWriter(zw)
	if err := fill(tw); err != nil {
		return errors.Join(err, zw.Close())
	}
	err = writeBytes(tw, backupEnd, []byte(taken.UTC().Format(time.RFC3339Nano)))
	if err := errors.Join(err, tw.Close(), zw.Close()); err != nil {
		return err
	}
	return digest.finish()
}

// backup is a backup that PostgreSQL knows of.
type backup struct {
	conn    *pgx.Conn
	cluster string
	began   time.Time
	first   string // name of the first file of the log that it needs
	last    string // name of the last one, set by stop
}

func startBackup(ctx context.Context, conn *pgx.Conn, cluster string) (*backup, error) {
	b := &backup{conn: conn, cluster: cluster}
	var version int
	if err := conn.QueryRow(ctx, "SELECT current_setting('server_version_num')::int, now()").Scan(&version, &b.began); err != nil {
		return nil, err
	}
	if version < 150000 {
		return nil, errors.New("a backup needs PostgreSQL 15 or newer")
	}
	// Keeps the log from being thrown away until the session ends.
	_, err := conn.Exec(ctx, "SELECT pg_create_physical_replication_slot('forecourt_backup', true, true)")
	if err != nil {
		return nil, fmt.Errorf("another backup may be running: %w", err)
	}
	return b, conn.QueryRow(ctx, "SELECT pg_walfile_name(pg_backup_start('forecourt', true))").Scan(&b.first)
}

// stop ends the backup and adds what a restored cluster replays: the label that says where to start, and the log up to now.
func (b *backup) stop(ctx context.Context, tw *tar.Writer) error {
	var label string
	err := b.conn.QueryRow(ctx, "SELECT labelfile, pg_walfile_name(lsn) FROM pg_backup_stop(wait_for_archive => false)").Scan(&label, &b.last)
	if err != nil {
		return err
	}
	if err := writeBytes(tw, path.Join(clusterFolder, "backup_label"), []byte(label)); err != nil {
		return err
	}
	entries, err := os.ReadDir(filepath.Join(b.cluster, "pg_wal"))
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		if len(name) != 24 || name < b.first || name > b.last {
			continue
		}
		if err := copyFile(tw, filepath.Join(b.cluster, "pg_wal", name), path.Join(clusterFolder, "pg_wal", name)); err != nil {
			return err
		}
	}
	return nil
}

// copyCluster writes every file except those that a server creates anew. The control file comes last: it must not be older than
// the files that it describes.
func copyCluster(tw *tar.Writer, cluster string) error {
	err := filepath.WalkDir(cluster, func(file string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // dropped meanwhile; the log says so
		}
		if err != nil {
			return err
		}
		name, err := filepath.Rel(cluster, file)
		if err != nil || name == "." || name == controlFile || isTransient(name, d.IsDir()) || isUnlogged(file) {
			return err
		}
		if d.IsDir() {
			return tw.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: path.Join(clusterFolder, name) + "/", Mode: 0o700})
		}
		if !d.Type().IsRegular() {
			return fmt.Errorf("%s is not a file: tablespaces are not backed up", name)
		}
		return copyFile(tw, file, path.Join(clusterFolder, name))
	})
	if err != nil {
		return err
	}
	return copyFile(tw, filepath.Join(cluster, controlFile), path.Join(clusterFolder, controlFile))
}

// isTransient reports whether a backup leaves out a file. It keeps the folders of such files.
func isTransient(name string, folder bool) bool {
	first, rest, below := strings.Cut(name, "/")
	switch first {
	case "postmaster.pid", "postmaster.opts", "backup_label", restoredMark, "forecourt.archived", "forecourt.gap":
		return true
	case "pg_wal":
		return below && (!folder || strings.Contains(rest, "/"))
	case "pg_replslot", "pg_dynshmem", "pg_notify", "pg_serial", "pg_snapshots", "pg_stat_tmp", "pg_subtrans":
		return below
	}
	return strings.HasPrefix(path.Base(name), "pgsql_tmp")
}

// relation matches the name of a file of a table or an index: its number, an optional suffix for the free space or visibility map, and an
// optional segment number.
var relation = regexp.MustCompile(`^([0-9]+)(?:_fsm|_vm)?(?:\.[0-9]+)?$`)

// isUnlogged reports whether a file belongs to a table that is not in the log (UNLOGGED), that is, whether an empty copy of the
// table lies beside it. A server that starts from the backup recreates the table from that copy, so its content never gets into a
// backup.
func isUnlogged(file string) bool {
	found := relation.FindStringSubmatch(filepath.Base(file))
	if found == nil {
		return false
	}
	_, err := os.Stat(filepath.Join(filepath.Dir(file), found[1]+"_init"))
	return err == nil
}

// copyFile writes a file at the length it has now. If it shrinks meanwhile, the rest is padded; if it grows, it is cut off; the log
// repairs both. A file that no longer exists is left out.
func copyFile(tw *tar.Writer, file, name string) error {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := tw.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: info.Size(), Mode: 0o600}); err != nil {
		return err
	}
	n, err := io.CopyN(tw, f, info.Size())
	if errors.Is(err, io.EOF) {
		_, err = io.CopyN(tw, zeros{}, info.Size()-n)
	}
	return err
}

func writeBytes(tw *tar.Writer, name string, content []byte) error {
	header := &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(content)), Mode: 0o600}
	if err := tw.WriteHeader(header); err != nil {
		return err
	}
	_, err := io.Copy(tw, bytes.NewReader(content))
	return err
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
