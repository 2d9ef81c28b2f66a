package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
)

// options holds the options of a run.
type options struct {
	out                                          io.Writer
	root, program, keep, only                    string
	payments, atOnce, kills, databaseKills, cuts int
	refunds                                      int
	letters                                      bool
	seed                                         uint64
	calm                                         func() // is called when the payers of a load are done; may be nil
}

// folder makes the run's folder and returns a function that removes it. PostgreSQL may run as another user, who has to be able
// to enter it.
func (o options) folder() (dir string, remove func(), err error) {
	if o.keep != "" {
		return o.keep, func() {}, os.MkdirAll(o.keep, 0o755) //nolint:gosec // the cluster inside is closed
	}
	dir, err = os.MkdirTemp("", "forecourt-chaos-")
	if err == nil {
		err = os.Chmod(dir, 0o755) //nolint:gosec // the cluster inside is closed
	}
	return dir, func() { _ = os.RemoveAll(dir) }, err
}

// binary returns the program to test. It builds it into dir unless the options name one.
func (o options) binary(ctx context.Context, dir string) (string, error) {
	if o.program != "" {
		return filepath.Abs(o.program)
	}
	binary := filepath.Join(dir, "forecourt")
	return binary, build(ctx, o.root, binary, "")
}

// choices returns the seed of a run's random choices.
func (o options) choices() uint64 {
	if o.seed != 0 {
		return o.seed
	}
	return rand.Uint64N(1_000_000) + 1 //nolint:gosec // no secret
}

// build compiles the program with the files of overlay, a JSON file or "" for none, in place of its own.
func build(ctx context.Context, root, binary, overlay string) error {
	binary, err := filepath.Abs(binary)
	if err != nil {
		return err
	}
	args := []string{"build", "-buildvcs=false", "-o", binary}
	if overlay != "" {
		args = append(args, "-overlay", overlay)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, "./cmd/forecourt")...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	return nil
}
