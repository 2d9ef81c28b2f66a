// Command bench prints each figure that Forecourt promises about speed beside a floor, something bare that does the same work, and
// beside its target. `make bench` calls it. It measures and does not judge: the exit code is 1 only if there is no figure.
//
// With --trade TIME it is a test instead: a street of businesses trades for that long, and the exit code is 1 if anything is not as
// promised.
//
// Everything is measured from outside, on bin/forecourt. Two sides of a ratio take turns, as separate processes with the same clients. It
// reads /proc, so it runs on Linux only.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

const binary = "bin/forecourt"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	switch {
	case len(args) == 0:
		return measure(ctx, out, (*bench).figures)
	case len(args) == 2 && args[0] == "--trade":
		length, err := time.ParseDuration(args[1])
		if err != nil || length < time.Minute {
			return errors.New("--trade takes how long, such as 60m, at least 1m")
		}
		return measure(ctx, out, func(b *bench, ctx context.Context) error { return b.trade(ctx, length) })
	case len(args) == 1 && args[0] == "bare":
		return serveBare(ctx, in, out)
	default:
		return errors.New("bench takes no arguments, or --trade TIME")
	}
}

// bench is one run. Its folder holds data folders and logs, and is removed when the run ends.
type bench struct {
	*report
	folder  string
	program string // bin/forecourt
	self    string // this program, which also serves the bare pages
}

// measure makes the run's folder and calls part.
func measure(ctx context.Context, out io.Writer, part func(*bench, context.Context) error) (err error) {
	b := &bench{report: &report{out: out}}
	if b.folder, err = os.MkdirTemp("", "forecourt-bench-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(b.folder)) }()
	if err := os.Chmod(b.folder, 0o755); err != nil { //nolint:gosec // PostgreSQL, which may run as another user, has to enter it
		return err
	}
	if b.program, err = filepath.Abs(binary); err != nil {
		return err
	}
	if _, err := os.Stat(b.program); err != nil {
		return fmt.Errorf("%w: run make build first", err)
	}
	if b.self, err = os.Executable(); err != nil {
		return err
	}
	return part(b, ctx)
}

// figures prints all figures. A section that fails does not keep the others from being measured.
func (b *bench) figures(ctx context.Context) error {
	b.machine()
	starts := b.starts(ctx)
	return errors.Join(starts, b.onMarket(ctx, func(m *market) error {
		return errors.Join(b.pages(ctx, m), b.sales(ctx, m), b.openPages(ctx, m), b.browse(ctx, m))
	}))
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
