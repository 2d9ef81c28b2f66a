package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// result counts the tests or checks that passed and failed, names those that failed, and lists the slowest tests first.
type result struct {
	passed, failed int
	failures       string // a few lines for each failure that the runner names
	slowest        [10]duration
}

// duration is how long a test took.
type duration struct {
	test    string
	seconds float64
}

func (r result) plus(other result) result {
	all := slices.Concat(r.slowest[:], other.slowest[:])
	slices.SortStableFunc(all, func(a, b duration) int { return cmp.Compare(b.seconds, a.seconds) })
	return result{r.passed + other.passed, r.failed + other.failed, r.failures + other.failures, [10]duration(all)}
}

// timed adds how long one test took.
func (r result) timed(test string, seconds float64) result {
	r.slowest[0] = duration{test, seconds}
	return r
}

// withOutput adds the beginning of what a failed test printed.
func (r result) withOutput(test, output string) result {
	output = strings.TrimSpace(output)
	if len(output) > 500 {
		output = strings.ToValidUTF8(output[:500], "") + " ..."
	}
	r.failures += strings.TrimSpace("failed: "+test+"\n"+output) + "\n"
	return r
}

// print writes the slowest tests, then the failures and, as the last line, the counts, so that the end of a long log says what is wrong.
func (r result) print(out io.Writer) {
	for i, slow := range r.slowest {
		if slow.seconds > 0 {
			fmt.Fprintf(out, "slow %2d: %5.1f s  %s\n", i+1, slow.seconds, slow.test)
		}
	}
	fmt.Fprint(out, r.failures)
	fmt.Fprintf(out, "%d passed, %d failed\n", r.passed, r.failed)
}

// check is one runner. An error counts as one more failure and says why the result is incomplete.
type check struct {
	name string
	run  func(ctx context.Context, out io.Writer) (result, error)
}

// one turns a function that only succeeds or fails into a check that counts as one test.
func one(name string, run func(ctx context.Context, out io.Writer) error) check {
	return check{name, func(ctx context.Context, out io.Writer) (result, error) {
		if err := run(ctx, out); err != nil {
			return result{}, err
		}
		return result{passed: 1}, nil
	}}
}

// command returns a function that runs a program.
func command(name string, args ...string) func(ctx context.Context, out io.Writer) error {
	return func(ctx context.Context, out io.Writer) error {
		return start(ctx, out, name, args...).Run()
	}
}

// start prepares a program that is stopped, with its children, when ctx ends.
func start(ctx context.Context, out io.Writer, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	return cmd
}

func runPhases(ctx context.Context, phases []phase, stdout io.Writer) result {
	var (
		total  result
		mu     sync.Mutex
		shared = &lockedWriter{w: stdout}
	)
	for _, lanes := range phases {
		var group sync.WaitGroup
		for _, checks := range lanes {
			group.Go(func() {
				for _, c := range checks {
					r := c.report(ctx, shared)
					mu.Lock()
					total = total.plus(r)
					mu.Unlock()
				}
			})
		}
		group.Wait()
	}
	return total
}

// report runs the check, prints its output line by line under its name, and then its result.
func (c check) report(ctx context.Context, stdout io.Writer) result {
	out := &lineWriter{w: stdout, prefix: c.name + " | "}
	began := time.Now()
	r, err := c.run(ctx, out)
	out.flush()
	if err != nil {
		r.failed++
		r = r.withOutput(c.name, err.Error()+"\n"+out.end)
		fmt.Fprintf(stdout, "%s | %v\n", c.name, err)
	}
	verdict := "ok"
	if r.failed > 0 {
		verdict = "FAILED"
	}
	fmt.Fprintf(stdout, "%s: %s, %d passed, %d failed (%.1f s)\n", c.name, verdict, r.passed, r.failed, time.Since(began).Seconds())
	return r
}

type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// lineWriter passes on whole lines, each with a prefix, so that the output of concurrent runners stays readable.
type lineWriter struct {
	mu      sync.Mutex
	w       io.Writer
	prefix  string
	pending []byte
	end     string // the last lines passed on, up to 450 bytes: a failed command says there what is wrong
}

func (l *lineWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending = append(l.pending, p...)
	for {
		line, rest, found := bytes.Cut(l.pending, []byte("\n"))
		if !found {
			return len(p), nil
		}
		if err := l.pass(line); err != nil {
			return 0, err
		}
		l.pending = rest
	}
}

// pass writes one line.
func (l *lineWriter) pass(line []byte) error {
	l.end += string(line) + "\n"
	l.end = strings.ToValidUTF8(l.end[max(len(l.end)-450, 0):], "")
	_, err := fmt.Fprintf(l.w, "%s%s\n", l.prefix, line)
	return err
}

func (l *lineWriter) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.pending) > 0 {
		_ = l.pass(l.pending)
		l.pending = nil
	}
}
