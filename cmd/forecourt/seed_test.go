package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
)

// dataFolder returns a data folder that has PostgreSQL but no database yet.
func dataFolder(t *testing.T) string {
	t.Helper()
	dir := folder(t)
	dbtest.LendProgram(t, dir)
	return dir
}

// demoFolder returns a data folder with the demo data, as the program left it when it stopped. Making one takes three seconds under the
// race detector, so it is made once and then copied.
func demoFolder(t *testing.T) string {
	t.Helper()
	dir := dataFolder(t)
	from, err := seed.folder(t)
	check.Must(t, err)
	if said, err := exec.CommandContext(t.Context(), "cp", "-a", from+"/.", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return dir
}

// seed is the folder that demo folders are copied from.
var seed seeds

type seeds struct {
	once sync.Once
	dir  string
	err  error
}

// folder returns the folder, which its first call makes.
func (s *seeds) folder(t *testing.T) (string, error) {
	t.Helper()
	s.once.Do(func() {
		if s.dir, s.err = os.MkdirTemp("", "forecourt-seed-"); s.err != nil { //nolint:usetesting // the folder outlives the test
			return
		}
		if s.err = os.Chmod(s.dir, 0o711); s.err != nil { // PostgreSQL's user has to pass through
			return
		}
		dbtest.LendProgram(t, s.dir)
		var said strings.Builder
		// The folder has to outlive the first test.
		if run(context.WithoutCancel(t.Context()), []string{"demo"}, from(map[string]string{"FORECOURT_DATA": s.dir}), &said, &said) != 0 {
			s.err = errors.New(said.String())
			return
		}
		lent, _ := filepath.Glob(filepath.Join(s.dir, "postgresql-*"))
		for _, link := range lent {
			s.err = errors.Join(s.err, os.RemoveAll(link)) // each copy has its own
		}
	})
	return s.dir, s.err
}

// cleaned runs the tests of this package, then deletes the seed.
type cleaned struct{ *testing.M }

func (c cleaned) Run() int {
	defer func() { _ = os.RemoveAll(seed.dir) }()
	return c.M.Run()
}
