package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// mutant is the program with a known mistake, a patch in the folder mutants. The patch begins with a line that says what catches it:
// "Caught by load: PROMISE" or "Caught by PACKAGE: TEST".
type mutant struct{ name, file, by, what string }

var caughtBy = regexp.MustCompile(`(?m)^Caught by (\S+): (.+)$`)

func readMutants(root, only string) (all []mutant, err error) {
	files, err := filepath.Glob(filepath.Join(root, "tools/chaos/mutants/*.patch"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no mutants, %w", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		said := caughtBy.FindStringSubmatch(string(text))
		if said == nil {
			return nil, fmt.Errorf("%s does not say what catches it", file)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".patch")
		if strings.Contains(name, only) {
			all = append(all, mutant{name, file, said[1], said[2]})
		}
	}
	return all, nil
}

// mutants tries every mutant. A mutant that nothing catches shows that nothing would notice the mistake.
func mutants(ctx context.Context, o options, dir string) error {
	// What a load strikes is chance: an HTTP library, for one, repeats a payment only if a connection that was used before breaks
	// after the gateway charged and before it answered.
	const tries = 3

	all, err := readMutants(o.root, o.only)
	if err != nil {
		return err
	}
	// Each is patched first, so that one that no longer fits does not waste the time of those before it.
	flags := make([][]string, len(all))
	for i, m := range all {
		if flags[i], err = overlay(ctx, o.root, filepath.Join(dir, m.name, "source"), m.file); err != nil {
			return err
		}
	}
	var survived []string
	for i, m := range all {
		caught := false
		for try := 0; try < tries && !caught; try++ {
			if caught, err = m.try(ctx, o, filepath.Join(dir, m.name, fmt.Sprint(try)), flags[i]); err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
		}
		fmt.Fprintf(o.out, "--- %s: caught by %s, %s: %t\n", m.name, m.by, m.what, caught)
		if !caught {
			survived = append(survived, m.name)
		}
	}
	if len(survived) > 0 {
		fmt.Fprintf(o.out, "not caught: %s\n", strings.Join(survived, ", "))
		return errBroken
	}
	return ctx.Err()
}

// try reports whether a short load, or a test, catches the mistake.
func (m mutant) try(ctx context.Context, o options, dir string, flags []string) (bool, error) {
	if m.by != "load" {
		return m.test(ctx, o.root, flags)
	}
	if err := makeFolder(dir); err != nil {
		return false, err
	}
	o.program = filepath.Join(dir, "forecourt")
	if err := build(ctx, o.root, o.program, flags...); err != nil {
		return false, err
	}
	// Every kind of cut comes twice.
	o.payments, o.kills, o.databaseKills, o.cuts, o.refunds, o.patience = 900, 3, 2, 20, 30, 10*time.Second
	broken, err := trial(ctx, o, dir, 5*time.Second)
	o.seed++
	return slices.Contains(broken, m.what), err
}

// test reports whether a test fails because of the mistake. A source that does not compile, or a missing test, is an error.
func (m mutant) test(ctx context.Context, root string, flags []string) (bool, error) {
	args := append([]string{"test", "-buildvcs=false", "-trimpath", "-count=1", "-v", "-run", "^" + m.what + "$"}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, m.by)...)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if !strings.Contains(string(out), "=== RUN   "+m.what) {
		return false, errors.Join(fmt.Errorf("%s did not run: %s", m.what, out), err)
	}
	return err != nil && strings.Contains(string(out), "--- FAIL: "+m.what+" "), nil
}
