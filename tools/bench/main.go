// Command bench measures what Forecourt promises about speed and size, and prints each figure beside its aim. `make bench` calls it. The
// steady orders alone take ten minutes (BENCH_STEADY=1m shortens them). With --payments it measures only orders and payments, beside plain
// SQL and over a long past; with --pages the menu and the payment page; with --crowd live payments from one address; with --forms saving
// forms; with --studio saving a large menu; with --fanout open order pages; with --floods payments while one address floods the program;
// with --steady orders for ten minutes. --past ROWS measures payments and each statement over that many past ones, and --desk ROWS the
// pages of the desk; a folder after it keeps their database for the next time. It measures and never judges: its exit code is 0 whatever
// the figures are, and 1 if a section has no figures because it failed twice. It reads /proc, so it runs on Linux only.
//
// --trade TIME is a test, not a measurement. A street of businesses trades for that long, and the exit code is 1 if anything fails.
//
// Everything is measured from outside, on bin/forecourt. Where an aim is a ratio, both sides take turns, as
// separate processes, with the same client in this process.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
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
		return measure(ctx, out, (*bench).everything)
	case len(args) == 1 && args[0] == "--payments":
		return measure(ctx, out, (*bench).payments)
	case len(args) == 1 && args[0] == "--pages":
		return measure(ctx, out, (*bench).everyPage)
	case len(args) == 1 && args[0] == "--forms":
		return measure(ctx, out, (*bench).drafts)
	case len(args) == 1 && args[0] == "--studio":
		return measure(ctx, out, (*bench).onStudio)
	case len(args) == 1 && args[0] == "--fanout":
		return measure(ctx, out, (*bench).fanout)
	case len(args) == 1 && args[0] == "--crowd":
		return measure(ctx, out, (*bench).oneAddress)
	case len(args) == 1 && args[0] == "--steady":
		return measure(ctx, out, (*bench).steady)
	case len(args) == 1 && args[0] == "--floods":
		return measure(ctx, out, (*bench).floods)
	case (len(args) == 2 || len(args) == 3) && (args[0] == "--past" || args[0] == "--desk"):
		count, err := strconv.Atoi(args[1])
		if err != nil || count < 1000 {
			return errors.New(args[0] + " takes a number of past payments, at least 1000, and optionally a folder that keeps them")
		}
		part := (*bench).longPast
		if args[0] == "--desk" {
			part = (*bench).deskOver
		}
		return measure(ctx, out, func(b *bench, ctx context.Context) error { return part(b, ctx, count, args[2:]) })
	case len(args) == 2 && args[0] == "--trade":
		length, err := time.ParseDuration(args[1])
		if err != nil || length < time.Minute {
			return errors.New("--trade takes how long, such as 60m, at least 1m")
		}
		return measure(ctx, out, func(b *bench, ctx context.Context) error { return b.trade(ctx, length) })
	case len(args) == 1 && args[0] == "bare":
		return serveBare(ctx, in, out)
	default:
		return errors.New("bench takes no arguments, or one of --payments, --pages, --forms, --studio, --crowd, --fanout, --floods, --steady, --trade TIME, --past ROWS and --desk ROWS for these figures alone")
	}
}

// bench is one run. Its folder holds data folders and logs, and is removed when the run ends.
type bench struct {
	*report
	folder  string
	program string // bin/forecourt
	self    string // this program, which also serves the bare pages
	wallet  string // address of an empty script in place of Google's
}

// measure makes the run's folder and prints the figures of one part.
func measure(ctx context.Context, out io.Writer, part func(*bench, context.Context) error) (err error) {
	folder, err := os.MkdirTemp("", "forecourt-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := openFolder(folder); err != nil {
		return err
	}
	b := &bench{report: &report{out: out}, folder: folder}
	if b.program, err = filepath.Abs(binary); err != nil {
		return err
	}
	if _, err := os.Stat(b.program); err != nil {
		return fmt.Errorf("%w: run make build first", err)
	}
	if b.self, err = os.Executable(); err != nil {
		return err
	}
	var stop func() error
	if b.wallet, stop, err = startWallet(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	b.machine()
	return part(b, ctx)
}

func (b *bench) size(context.Context) error {
	info, err := os.Stat(b.program)
	if err != nil {
		return err
	}
	b.section("Program")
	b.atMost("size of the binary", float64(info.Size())/1e6, 50, megabytes)
	return nil
}
