package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// recoverWithin is how long the replay of a log may take.
const recoverWithin = 24 * time.Hour

// ErrShort means that the archive ends before the requested time.
var ErrShort = errors.New("the archive ends before that time")

// replay runs PostgreSQL in a folder of its own, below the data folder, until it has replayed the log. The program is unpacked in the data
// folder, where the next start looks for it.
func replay(ctx context.Context, dir string, taken time.Time, r Recovery) (reached time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, recoverWithin)
	defer cancel()
	s := newServer(Options{recovery: &r})
	s.bootAttempts = 1
	err = s.start(ctx, dir, Options{Dir: dir, Existing: true, recovery: &r, programs: filepath.Dir(dir)})
	switch {
	case err != nil && strings.Contains(err.Error(), "recovery ended before configured recovery target was reached"):
		return taken, ErrShort
	case err != nil:
		return taken, replayError(err)
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

// replayError shortens what PostgreSQL says about a recovery that failed to what this program's command said.
func replayError(err error) error {
	for line := range strings.SplitSeq(err.Error(), " | ") {
		if _, said, ok := strings.Cut(line, "forecourt "); ok {
			return errors.New(said)
		}
	}
	return fmt.Errorf("replay the log: %w", err)
}

// settleLog prepares the files of a log for a PostgreSQL that archives: it adds the history of the timeline that the recovery began,
// so that the next one begins yet another, and nothing of the earlier timeline.
func settleLog(dir string) error {
	histories, err := filepath.Glob(filepath.Join(dir, "*.history"))
	if err != nil || len(histories) == 0 {
		return err
	}
	history := filepath.Base(slices.Max(histories))
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		mark := filepath.Join(dir, "archive_status", e.Name()+".done")
		switch name := e.Name(); {
		case name == history:
			mark = strings.TrimSuffix(mark, "done") + "ready"
		case strings.HasPrefix(name, history[:8]) || len(name) != 24 && !strings.HasSuffix(name, ".history"):
			continue
		}
		if err := os.WriteFile(mark, nil, 0o600); err != nil {
			return err
		}
	}
	return nil
}
