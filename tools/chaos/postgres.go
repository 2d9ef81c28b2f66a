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

	"github.com/jackc/pgx/v5"

	"forecourt/db/embedded"
)

// database is the packed PostgreSQL on TCP. It restarts by itself.
type database struct {
	*embedded.Server
	dir string
}

func startDatabase(ctx context.Context, dir string) (*database, error) {
	server, err := embedded.Start(ctx, embedded.Options{Dir: dir, TCP: true})
	if err != nil {
		return nil, err
	}
	return &database{server, dir}, nil
}

// kill kills all of PostgreSQL at once and returns when it is back.
func (d *database) kill(ctx context.Context) error {
	postmaster, err := killPostgres(d.dir)
	if err != nil {
		return err
	}
	return d.await(ctx, postmaster)
}

// killPostgres kills the PostgreSQL that runs in a data folder. It first suspends the postmaster, which would otherwise see its children die and
// recover, or leave behind orphans that keep its shared memory.
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
	children, err := childrenOf(postmaster)
	for _, pid := range append(children, postmaster) {
		if killErr := syscall.Kill(pid, syscall.SIGKILL); !errors.Is(killErr, syscall.ESRCH) {
			err = errors.Join(err, killErr)
		}
	}
	return postmaster, err
}

// await returns when a postmaster other than the killed one answers.
func (d *database) await(ctx context.Context, killed int) error {
	for ctx.Err() == nil {
		if syscall.Kill(killed, 0) != nil {
			if conn, err := pgx.Connect(ctx, d.DSN(embedded.Database)); err == nil {
				return conn.Close(ctx)
			}
		}
		pause(ctx, 20*time.Millisecond)
	}
	return ctx.Err()
}

// childrenOf lists the processes whose parent is pid.
func childrenOf(pid int) ([]int, error) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil, err
	}
	var children []int
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // the process has ended
		}
		if child, parent, ok := parseStat(string(text)); ok && parent == pid {
			children = append(children, child)
		}
	}
	return children, nil
}

// parseStat reads a process id and its parent's from /proc/PID/stat, whose second field is a name in parentheses that may
// contain anything.
func parseStat(text string) (pid, parent int, ok bool) {
	open, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
	if open < 1 || end < open {
		return 0, 0, false
	}
	rest := strings.Fields(text[end+1:])
	if len(rest) < 2 {
		return 0, 0, false
	}
	pid, err := strconv.Atoi(strings.TrimSpace(text[:open]))
	parent, parentErr := strconv.Atoi(rest[1])
	return pid, parent, err == nil && parentErr == nil
}
