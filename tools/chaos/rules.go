package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// rule is a rule about accounts with a known mistake, and the test that has to fail because of it. Chaos signs nobody in, so a test judges.
type rule struct {
	name    string
	pkg     string // of the test
	test    string
	patches []patch
}

// rules checks that the test of each rule fails because of its mistake.
func rules(ctx context.Context, o options) error {
	dir, remove, err := o.folder()
	if err != nil {
		return err
	}
	defer remove()
	var survived []string
	var problems error // one must not waste the time of the rules before and after it
	for i, r := range accountRules() {
		if !strings.Contains(r.name, o.only) {
			continue
		}
		caught, err := r.try(ctx, o, filepath.Join(dir, fmt.Sprint(i)))
		if err != nil {
			problems = errors.Join(problems, fmt.Errorf("%s: %w", r.name, err))
			continue
		}
		fmt.Fprintf(o.out, "--- %s: caught by %s: %t\n", r.name, r.test, caught)
		if !caught {
			survived = append(survived, r.name)
		}
	}
	if len(survived) > 0 {
		fmt.Fprintf(o.out, "not caught: %s\n", strings.Join(survived, "; "))
		problems = errors.Join(problems, errBroken)
	}
	return errors.Join(problems, ctx.Err())
}

// mark ends the lines of Go that the mistake changes.
func (r rule) mark() string { return mutant{name: r.name}.mark() }

// try reports whether the rule's test fails because of the mistake. A source that does not compile, or a missing test, is an error.
func (r rule) try(ctx context.Context, o options, dir string) (bool, error) {
	file, err := overlay(o.root, dir, r.mark(), r.patches, nil)
	if err != nil {
		return false, err
	}
	cmd := exec.CommandContext(ctx, "go", "test", "-buildvcs=false", "-trimpath", "-count=1", "-v", "-overlay", file, "-run", "^"+r.test+"$", r.pkg)
	cmd.Dir = o.root
	out, err := cmd.CombinedOutput()
	lines := strings.Split(string(out), "\n")
	if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "=== RUN   "+r.test) }) {
		return false, fmt.Errorf("%s did not run: %w\n%s", r.test, err, out)
	}
	return err != nil && slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "--- FAIL: "+r.test+" ") }), nil
}
