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
	"runtime"
	"syscall"
	"time"

	"forecourt/tools/drive"
)

// program is what make builds.
const program = "bin/forecourt"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// bench is one run. Its folder holds data folders and logs, and is removed when the run ends.
type bench struct {
	*report
	folder string
}

func run(ctx context.Context, args []string, out io.Writer) error {
	switch {
	case len(args) == 0:
		return inFolder(out, func(b *bench) error { return b.figures(ctx) })
	case len(args) == 2 && args[0] == "--trade":
		length, err := time.ParseDuration(args[1])
		if err != nil || length < time.Minute {
			return errors.New("--trade takes how long, such as 60m, at least 1m")
		}
		return inFolder(out, func(b *bench) error { return b.trade(ctx, length) })
	case len(args) == 4 && args[0] == "bare":
		return serveBare(ctx, args[1], args[2], args[3], out)
	default:
		return errors.New("bench takes no arguments, or --trade TIME")
	}
}

// inFolder makes the run's folder and calls part.
func inFolder(out io.Writer, part func(*bench) error) error {
	folder, err := os.MkdirTemp("", "forecourt-bench-")
	if err != nil {
		return err
	}
	err = os.Chmod(folder, 0o755) //nolint:gosec // PostgreSQL, which may run as another user, has to enter it
	if err == nil {
		err = part(&bench{&report{out: out}, folder})
	}
	return errors.Join(err, os.RemoveAll(folder))
}

// figures prints all figures. A section that fails does not keep the others from being measured.
func (b *bench) figures(ctx context.Context) error {
	fmt.Fprintf(b.out, "%d processors. Ratios hold on any machine, the rest on this one.\n", runtime.NumCPU())
	starts := b.starts(ctx)
	return errors.Join(starts, b.onMarket(ctx, func(m *market) error {
		return errors.Join(b.pages(ctx, m), b.sales(ctx, m), b.openPages(ctx, m), b.paint(ctx, m))
	}))
}

// data is the folder of one of the run's sites.
func (b *bench) data(site string) string { return filepath.Join(b.folder, site) }

// log is what one of the sites logs.
func (b *bench) log(site string) string { return filepath.Join(b.folder, site+".log") }

// serve starts a site.
func (b *bench) serve(ctx context.Context, site string, settings ...string) (*drive.Process, error) {
	return drive.Start(ctx, b.log(site), drive.Environment(b.data(site), settings...), program, "serve")
}

// starts measures the time from the start of the program until it is ready, with the built-in database: in an empty folder, then again in
// the same folder.
func (b *bench) starts(ctx context.Context) error {
	const restarts = 5
	var taken []float64
	for range 1 + restarts {
		start := time.Now()
		p, err := b.serve(ctx, "start")
		if err != nil {
			return err
		}
		_, _, err = record(ctx, p.URL+"/readyz")
		taken = append(taken, ms(time.Since(start)))
		if err := errors.Join(err, p.Stop()); err != nil {
			return err
		}
	}
	b.section("Start, with the built-in database")
	b.atMost("first start to ready, empty folder", taken[0], 3000, milliseconds)
	b.atMost("later start to ready", median(taken[1:]), 300, milliseconds)
	return nil
}
