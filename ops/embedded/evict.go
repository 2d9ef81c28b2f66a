package embedded

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	evictPoll  = 2 * time.Millisecond // how often a postgres that has to end is looked at
	evictKill  = 15 * time.Second     // after how long it is killed
	evictLimit = 20 * time.Second     // after how long we give up
	// noProcess is not a process id on Linux, where they end at 2^22.
	noProcess = "2147483647"
)

// evict ends what an earlier program left behind in a cluster: a postgres that is still shutting down after the program was killed, or
// the children of a postgres that was killed, which would finish their queries first. The caller holds the folder's lock, so none of them
// belongs to a living program. All are told to exit at once. That is safe: the next start replays the log. It returns when nothing is left.
func evict(ctx context.Context, cluster string) error {
	for began, sig := time.Now(), syscall.SIGQUIT; ; {
		left, err := serversBelow(cluster)
		if err != nil || len(left) == 0 {
			return err
		}
		switch waited := time.Since(began); {
		case waited > evictLimit:
			return fmt.Errorf("processes %v of an earlier PostgreSQL do not end", left)
		case waited > evictKill:
			sig = syscall.SIGKILL
		}
		for _, pid := range left {
			if err := syscall.Kill(pid, sig); err != nil && !errors.Is(err, syscall.ESRCH) {
				return fmt.Errorf("end process %d of an earlier PostgreSQL: %w", pid, err)
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(evictPoll):
		}
	}
}

// serversBelow lists the living processes called postgres whose working directory is dir or below it: postgres changes to its data
// directory.
func serversBelow(dir string) ([]int, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var pids []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		// Other users' processes and zombies hide their working directory; they are not ours anyway.
		cwd, err := os.Readlink(filepath.Join("/proc", e.Name(), "cwd"))
		if err != nil || cwd != dir && !strings.HasPrefix(cwd, dir+"/") {
			continue
		}
		comm, err := os.ReadFile(filepath.Join("/proc", e.Name(), "comm"))
		if err == nil && string(bytes.TrimSpace(comm)) == "postgres" {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

// clearLocks makes the lock files of a dead postgres harmless. Call it only after evict. Otherwise postgres would mistake an unrelated
// process with the recorded id for its predecessor. The pid file stays, with an impossible id, because postgres finds the dead one's shared
// memory by it.
func (s *Server) clearLocks() error {
	data, err := os.ReadFile(s.pidFile())
	switch {
	case err == nil:
		_, rest, _ := strings.Cut(string(data), "\n")
		//nolint:gosec // the content was read from this same file of ours
		if err := os.WriteFile(s.pidFile(), []byte(noProcess+"\n"+rest), 0o600); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	entries, err := os.ReadDir(s.socket)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := os.Remove(filepath.Join(s.socket, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
