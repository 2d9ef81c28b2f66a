package embedded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// recoverWithin is how long the replay of a log may take.
const recoverWithin = 24 * time.Hour

// ErrShort means that the archive ends before the requested time.
var ErrShort = errors.New("the archive ends before that time")

// Recover restores a backup and replays the log of an archive on top. It returns the time of the last commit that it replayed, or the time
// of the backup if it replayed none. If it fails, it leaves nothing behind but an unpacked PostgreSQL. Errors: those of Restore, ErrShort,
// and those of Fetch.
func Recover(ctx context.Context, dir string, files []string, base io.ReadSeeker, r Recovery) (reached time.Time, err error) {
	a, err := serverAccount()
	if err != nil {
		return reached, err
	}
	return restore(dir, files, base, func(tmp string, taken time.Time) (time.Time, error) {
		signal := filepath.Join(tmp, clusterFolder, "recovery.signal")
		if err := os.WriteFile(signal, nil, 0o600); err != nil {
			return taken, err
		}
		if err := os.Lchown(signal, a.uid, a.gid); err != nil {
			return taken, err
		}
		return replay(ctx, tmp, taken, r)
	})
}

// replay runs PostgreSQL in a folder of its own, below the data folder, until it has replayed the log. The program is unpacked in the data
// folder, where the next start looks for it.
func replay(ctx context.Context, dir string, taken time.Time, r Recovery) (reached time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, recoverWithin)
	defer cancel()
	s := newServer(Options{recovery: &r})
	s.bootAttempts = 1
	err = s.start(ctx, dir, Options{Dir: dir, Existing: true, recovery: &r, programs: filepath.Dir(dir)})
	switch wrong := s.log.Failure(); {
	case wrong != nil:
		return taken, errors.Join(wrong, stopAfter(s, err))
	case err != nil && strings.Contains(err.Error(), "recovery ended before configured recovery target was reached"):
		return taken, ErrShort
	case err != nil:
		return taken, fmt.Errorf("replay the log: %w", err)
	}
	defer func() { err = errors.Join(err, s.Stop(context.WithoutCancel(ctx))) }()
	conn, err := pgx.Connect(ctx, s.DSN(Database))
	if err != nil {
		return taken, err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	var last *time.Time
	if err := conn.QueryRow(ctx, "SELECT pg_last_xact_replay_timestamp()").Scan(&last); err != nil {
		return taken, err
	}
	if last != nil && last.After(taken) {
		taken = *last
	}
	return taken, nil
}

// stopAfter stops a server that may have started although a file of its log could not be fetched.
func stopAfter(s *Server, startErr error) error {
	if startErr != nil {
		return nil //nolint:nilerr // the server has ended already
	}
	return s.Stop(context.Background())
}
