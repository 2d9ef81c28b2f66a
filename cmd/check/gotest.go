package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
)

// goTest runs the Go tests of this module with one database server for all packages, because starting and filling one takes as long as
// testing a package. It leaves vet to the linter.
func goTest(ctx context.Context, out io.Writer) (r result, err error) {
	with, without, err := byRace(ctx, "./...")
	if err != nil {
		return result{}, err
	}
	server := start(ctx, out, "go", "run", "./internal/dbtest/server")
	server.Stdout = nil
	ends, err := server.StdinPipe()
	if err != nil {
		return result{}, err
	}
	told, err := server.StdoutPipe()
	if err != nil {
		return result{}, err
	}
	if err := server.Start(); err != nil {
		return result{}, err
	}
	address, readErr := bufio.NewReader(told).ReadString('\n')
	if readErr == nil {
		r, err = testAll(ctx, out, with, without, dbtest+"="+strings.TrimSpace(address))
	}
	return r, errors.Join(readErr, err, ends.Close(), server.Wait())
}

// testAll tests the main package, whose tests mostly wait for the programs that they start, beside all others.
func testAll(ctx context.Context, out io.Writer, with, without []string, address string) (total result, err error) {
	var (
		group sync.WaitGroup
		mu    sync.Mutex
	)
	test := func(env []string, args ...string) {
		r, testErr := testPackages(ctx, out, ".", append([]string{atOnce}, args...), append(env, address)...)
		mu.Lock()
		defer mu.Unlock()
		total, err = total.plus(r), errors.Join(err, testErr)
	}
	race := []string{raceEnv}
	group.Go(func() {
		test(race, "-race", "-skip="+commands, mainPackage)
		test(nil, "-run="+commands, mainPackage)
	})
	group.Go(func() {
		test(race, append([]string{"-race"}, with...)...)
		test(nil, without...)
	})
	group.Wait()
	return total, err
}

// goTestChaos runs the tests of the fault suite, which is a separate module.
func goTestChaos(ctx context.Context, out io.Writer) (result, error) {
	return testPackages(ctx, out, "tools/chaos", []string{"-race", "./..."}, raceEnv)
}

const (
	dbtest  = "FORECOURT_TEST_DATABASE" // where packages find the shared server
	raceEnv = "CGO_ENABLED=1"           // the race detector needs it

	// More tests run at once than there are processors, because tests mostly wait for the database.
	atOnce = "-parallel=4"
)

// testPackages runs go test in a module's folder for the packages in args. It links without debug information (-w), which nobody needs
// here. That takes two thirds of the time.
func testPackages(ctx context.Context, out io.Writer, module string, args []string, env ...string) (result, error) {
	cmd := start(ctx, out, "go", slices.Concat([]string{"test", "-json", "-count=1", "-vet=off", "-ldflags=-w", "-timeout=30m"}, args)...)
	cmd.Dir = module
	cmd.Env = append(cmd.Environ(), env...)
	cmd.Stdout = nil
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return result{}, err
	}
	if err := cmd.Start(); err != nil {
		return result{}, err
	}
	r, readErr := readGoTest(pipe, out)
	err = cmd.Wait()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && r.failed > 0 {
		err = nil // failures are counted
	}
	return r, errors.Join(readErr, err)
}

// goEvent is one line of `go test -json`.
type goEvent struct {
	Action     string
	Package    string
	ImportPath string // set for build output
	Test       string
	Output     string
	Elapsed    float64
}

// readGoTest counts the tests of an event stream and prints those that failed. A test with subtests counts only if it failed itself, a
// skipped test counts as failed, and a package that failed without a failed test counts as one failure.
func readGoTest(stream io.Reader, out io.Writer) (result, error) {
	var total result
	packages := map[string]*goPackage{}
	lines := bufio.NewScanner(stream)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e goEvent
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			fmt.Fprintf(out, "%s\n", lines.Bytes()) // a line of the go command itself
			continue
		}
		if e.Action == "build-output" {
			fmt.Fprint(out, e.Output)
			continue
		}
		if e.Package == "" {
			continue
		}
		p := packages[e.Package]
		if p == nil {
			p = &goPackage{output: map[string]*strings.Builder{}, parents: map[string]bool{}, failedBelow: map[string]bool{}}
			packages[e.Package] = p
		}
		total = total.plus(p.take(e, out))
	}
	return total, lines.Err()
}

// goPackage is the state of a package while its tests run.
type goPackage struct {
	result
	output      map[string]*strings.Builder // by test, "" for the package's own
	parents     map[string]bool             // tests that have subtests
	failedBelow map[string]bool             // tests with a failed subtest
}

// take handles one event and returns what it adds to the counts.
func (p *goPackage) take(e goEvent, out io.Writer) result {
	var r result
	switch e.Action {
	case "run":
		if parent, _, nested := cutLast(e.Test, "/"); nested {
			p.parents[parent] = true
		}
	case "output":
		if !strings.HasPrefix(e.Output, "=== ") { // that the test runs, pauses or goes on
			p.write(e.Test, e.Output)
		}
	case "pass", "fail", "skip":
		if e.Test == "" {
			return p.finish(e, out)
		}
		r = p.count(e)
		if r.failed > 0 {
			r = r.withOutput(e.Package+" "+e.Test, p.text(e.Test))
		}
		if e.Action != "pass" {
			fmt.Fprintf(out, "%s %s\n%s", e.Package, e.Action, p.text(e.Test))
		}
		delete(p.output, e.Test)
	}
	p.result = p.plus(r)
	return r
}

func (p *goPackage) count(e goEvent) result {
	if e.Action == "pass" {
		if p.parents[e.Test] {
			return result{}
		}
		return result{passed: 1}.timed(e.Package+" "+e.Test, e.Elapsed)
	}
	if parent, _, nested := cutLast(e.Test, "/"); nested {
		p.failedBelow[parent] = true
	}
	if p.failedBelow[e.Test] {
		return result{}
	}
	return result{failed: 1}.timed(e.Package+" "+e.Test, e.Elapsed)
}

// finish ends a package. The go command reports a package without tests as skipped, which is no failure.
func (p *goPackage) finish(e goEvent, out io.Writer) result {
	if e.Action != "fail" {
		if p.passed > 0 {
			fmt.Fprintf(out, "ok %s (%d tests, %.1f s)\n", e.Package, p.passed, e.Elapsed)
		}
		return result{}
	}
	if p.failed > 0 {
		return result{}
	}
	fmt.Fprintf(out, "%s failed\n", e.Package)
	for _, text := range p.output {
		fmt.Fprint(out, text)
	}
	return result{failed: 1}.withOutput(e.Package, p.text(""))
}

func (p *goPackage) write(test, text string) {
	if p.output[test] == nil {
		p.output[test] = &strings.Builder{}
	}
	p.output[test].WriteString(text)
}

func (p *goPackage) text(test string) string {
	if p.output[test] == nil {
		return ""
	}
	return p.output[test].String()
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
