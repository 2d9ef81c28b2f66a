package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"forecourt/tools/drive"
)

// killDatabase kills all of PostgreSQL at once and returns when it is back, which it is by itself.
func (w *world) killDatabase(ctx context.Context) error {
	killed, err := killPostgres(filepath.Join(w.dir, "database"))
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		if syscall.Kill(killed, 0) != nil {
			if conn, err := w.connect(ctx); err == nil {
				return conn.Close(ctx)
			}
		}
		drive.Pause(ctx, 20*time.Millisecond)
	}
	return ctx.Err()
}

// killPostgres kills the PostgreSQL that runs in a data folder, and returns its process id. It first suspends the postmaster, which
// would otherwise see its children die and recover, or leave behind orphans that keep its shared memory.
func killPostgres(dir string) (postmaster int, err error) {
	text, err := os.ReadFile(filepath.Join(dir, "cluster", "postmaster.pid"))
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	if postmaster, err = strconv.Atoi(first); err != nil {
		return 0, fmt.Errorf("postmaster.pid: %w", err)
	}
	if err := syscall.Kill(postmaster, syscall.SIGSTOP); err != nil {
		return 0, fmt.Errorf("stop the postmaster: %w", err)
	}
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", postmaster, postmaster))
	for _, word := range append(strings.Fields(string(children)), first) {
		pid, wrong := strconv.Atoi(word)
		if killErr := syscall.Kill(pid, syscall.SIGKILL); !errors.Is(killErr, syscall.ESRCH) {
			err = errors.Join(err, wrong, killErr)
		}
	}
	return postmaster, err
}
