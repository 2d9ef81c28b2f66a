// Command chaos shows that payments keep their promises while everything around them breaks. It drives the real program, killed
// and cut off again and again, and compares the gateway's ledger with the database afterwards. Exit code 1 means that a
// promise was broken.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

const usage = `Usage: chaos [load|drill|crashes|all|mutants] [flags]

load      many payers at once while the program, PostgreSQL, the network and the gateway fail, and the drill beside it
drill     a backup is restored that knows less than the gateway does
crashes   the program dies at each step of a payment in turn
all       load and crashes
mutants   programs with a known mistake, each of which has to be caught

`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// errBroken means that a promise was broken. The report has already been printed.
var errBroken = errors.New("a promise was broken")

// options holds the options of a run.
type options struct {
	out                                           io.Writer
	root, program, keep, only                     string
	payments, kills, databaseKills, cuts, refunds int
	seed                                          uint64
	patience                                      time.Duration // of a payer
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	command := "load"
	if len(args) > 0 && args[0] != "" && args[0][0] != '-' {
		command, args = args[0], args[1:]
	}
	flags := flag.NewFlagSet("chaos", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage); flags.PrintDefaults() }
	o := options{out: stdout, patience: 2 * time.Minute}
	flags.StringVar(&o.root, "root", "../..", "`folder` of the program's source")
	flags.StringVar(&o.program, "program", "", "the `binary` to test; built from the source when not given (load, drill, all)")
	flags.StringVar(&o.keep, "keep", "", "`folder` that logs and databases are left in")
	flags.StringVar(&o.only, "only", "", "a part of the `name` of the crash points or mutants to run")
	flags.IntVar(&o.payments, "payments", 10000, "how many payments, which is also how much fails (load, all)")
	flags.Uint64Var(&o.seed, "seed", rand.Uint64N(1_000_000)+1, "repeats a run's choices") //nolint:gosec // no secret
	if err := flags.Parse(args); err != nil {
		return 2
	}
	o.kills, o.databaseKills, o.cuts = max(o.payments/500, 2), max(o.payments/2000, 1), max(o.payments/400, 4)
	o.refunds = max(o.payments/50, 30)
	commands := map[string]func(context.Context, options, string) error{
		"load": load, "drill": drill, "crashes": crashes, "all": all, "mutants": mutants,
	}
	do, known := commands[command]
	if !known || flags.NArg() > 0 {
		flags.Usage()
		return 2
	}
	err := o.inFolder(func(dir string) error { return do(ctx, o, dir) })
	if err != nil && !errors.Is(err, errBroken) {
		fmt.Fprintln(stderr, "chaos:", err)
	}
	if err != nil {
		return 1
	}
	return 0
}

// all runs both, even if the first finds something.
func all(ctx context.Context, o options, dir string) error {
	return errors.Join(load(ctx, o, filepath.Join(dir, "load")), crashes(ctx, o, filepath.Join(dir, "crashes")))
}

// inFolder calls work with the run's folder, and removes the folder afterwards unless it is to be kept.
func (o options) inFolder(work func(dir string) error) error {
	if o.keep != "" {
		return errors.Join(makeFolder(o.keep), work(o.keep))
	}
	dir, err := os.MkdirTemp("", "forecourt-chaos-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	return errors.Join(makeFolder(dir), work(dir))
}

// makeFolder makes a folder that PostgreSQL can enter, which may run as another user.
func makeFolder(dir string) error {
	return errors.Join(os.MkdirAll(dir, 0o755), os.Chmod(dir, 0o755)) //nolint:gosec // the cluster inside is closed
}

// binary returns the program to test. It builds it into dir unless the options name one.
func (o options) binary(ctx context.Context, dir string) (string, error) {
	if o.program != "" {
		return filepath.Abs(o.program)
	}
	binary := filepath.Join(dir, "forecourt")
	return binary, build(ctx, o.root, binary)
}

// build compiles the program. flags may name an overlay.
func build(ctx context.Context, root, binary string, flags ...string) error {
	flags = append(flags, "-buildvcs=false", "-o", binary, "./cmd/forecourt")
	cmd := exec.CommandContext(ctx, "go", append([]string{"build"}, flags...)...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	return nil
}
