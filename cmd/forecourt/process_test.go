package main

import (
	"bufio"
	"context"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"forecourt/internal/kit/check"
)

// process is the program in a separate process, which can be killed.
type process struct {
	address string // on which it listens
	stderr  *shared
	cmd     *exec.Cmd
	ended   chan struct{}
}

// startProcess starts the program and waits until it listens.
func startProcess(t *testing.T, values map[string]string, args ...string) *process {
	t.Helper()
	p := &process{stderr: &shared{}, cmd: exec.CommandContext(t.Context(), os.Args[0], args...), ended: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), asProgram+"=1")
	for name, value := range mailed(values) {
		p.cmd.Env = append(p.cmd.Env, name+"="+value)
	}
	p.cmd.Dir, p.cmd.Stderr = t.TempDir(), p.stderr
	out, err := p.cmd.StdoutPipe()
	check.Must(t, err)
	check.Must(t, p.cmd.Start())
	t.Cleanup(func() {
		p.kill()
		if dir := values["FORECOURT_DATA"]; dir != "" {
			eventually(t, "the folder is gone", func() bool { return os.RemoveAll(dir) == nil }) // PostgreSQL still writes while it stops
		}
	})
	listening := make(chan string, 1)
	go func() {
		defer close(p.ended)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if address, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
				listening <- address
			}
		}
		_ = p.cmd.Wait()
	}()
	select {
	case p.address = <-listening:
	case <-p.ended:
		t.Fatalf("it ended: %s", p.stderr)
	case <-time.After(2 * time.Minute):
		t.Fatalf("not ready: %s", p.stderr)
	}
	return p
}

// kill ends the process as a power cut would.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// stream is a page's stream of events.
type stream struct {
	t     *testing.T
	lines *bufio.Scanner
}

// follow opens the stream of a page.
func (c *customer) follow(path string) *stream {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), time.Minute) // a silent stream fails the test
	c.t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.site+path, nil)
	check.Must(c.t, err)
	res, err := c.client.Do(req)
	check.Must(c.t, err)
	c.t.Cleanup(func() { _ = res.Body.Close() })
	check.MustEqual(c.t, res.StatusCode, http.StatusOK, "%s: status", path)
	return &stream{c.t, bufio.NewScanner(res.Body)}
}

// hears waits until text arrives on the stream.
func (s *stream) hears(text string) {
	s.t.Helper()
	for s.lines.Scan() {
		if strings.Contains(s.lines.Text(), text) {
			return
		}
	}
	s.t.Fatalf("the stream ended before %q", text)
}
