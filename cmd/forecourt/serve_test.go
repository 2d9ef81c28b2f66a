package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"forecourt/internal/kit/check"
)

// program is a running command.
type program struct {
	t      *testing.T
	stop   context.CancelFunc
	code   chan int
	lines  chan string // of stdout
	stderr *shared
	all    []string // lines read so far
}

// shared is a buffer that several goroutines write to.
type shared struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// folder returns an empty data folder that PostgreSQL's user can reach.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	check.Must(t, os.Chmod(filepath.Dir(dir), 0o711))
	return dir
}

// outside returns the settings of a site on an external database, and more in pairs of a name and a value.
func outside(t *testing.T, database string, more ...string) map[string]string {
	t.Helper()
	values := map[string]string{
		"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": folder(t), "DATABASE_URL": database, "FORECOURT_SECRET": strings.Repeat("s", 32),
	}
	for i := 0; i < len(more); i += 2 {
		values[more[i]] = more[i+1]
	}
	return values
}

// mailed adds a mail server to the settings of a site for real people, which needs one. The server does not answer.
func mailed(values map[string]string) map[string]string {
	if c, err := readConfig(from(values)); err == nil && c.checkMail() != nil {
		return with(values, "SMTP_URL", "smtp://127.0.0.1:1")
	}
	return values
}

func start(t *testing.T, values map[string]string, args ...string) *program {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	p := &program{t: t, stop: stop, code: make(chan int, 1), lines: make(chan string, 100), stderr: &shared{}}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		code := run(ctx, args, from(mailed(values)), in, p.stderr)
		_ = in.Close()
		p.code <- code
	}()
	go func() {
		scanner := bufio.NewScanner(out)
		for scanner.Scan() {
			p.lines <- scanner.Text()
		}
		close(p.lines)
	}()
	t.Cleanup(func() { // before its folder is removed
		stop()
		<-ended
	})
	return p
}

// ready waits for the address that the program listens on.
func (p *program) ready() string {
	p.t.Helper()
	return strings.TrimPrefix(p.until("listening on "), "listening on ")
}

// until waits for a line that holds text.
func (p *program) until(text string) string {
	p.t.Helper()
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				p.t.Fatalf("it ended: %d %s", <-p.code, p.stderr)
			}
			p.all = append(p.all, line)
			if strings.Contains(line, text) {
				return line
			}
		case <-time.After(2 * time.Minute):
			p.t.Fatalf("not ready: %s", p.stderr)
		}
	}
}

// end stops the program and returns its exit code.
func (p *program) end() int {
	p.t.Helper()
	p.stop()
	for line := range p.lines {
		p.all = append(p.all, line)
	}
	return <-p.code
}

func get(t *testing.T, address string) (int, string) {
	t.Helper()
	res, err := http.Get(address)
	check.Must(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	check.Must(t, err)
	return res.StatusCode, string(body)
}

func TestServeFromAnEmptyFolder(t *testing.T) {
	t.Parallel()
	values := map[string]string{"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": folder(t)}
	p := start(t, values, "serve")
	address := p.ready()
	if !strings.HasPrefix(address, "http://127.0.0.1:") || strings.HasSuffix(address, ":0") {
		t.Fatalf("ready on %q", address)
	}
	for path, want := range map[string]string{
		"/healthz": "ok", "/readyz": `{"status":"ready"}`, "/pos/panezski": "Butter Croissant", "/": "Panezski", "/pos/panezski/demo": "1,000.52",
	} {
		if code, body := get(t, address+path); code != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: %d %.200s", path, code, body)
		}
	}
	if code, _ := get(t, address+"/metrics"); code == http.StatusOK {
		_, body := get(t, address+"/metrics")
		check.Lacks(t, body, "go_goroutines", "metrics are public")
	}
	shell{t, values}.fails(1, values["FORECOURT_DATA"], "serve") // a second program in the same folder
	elsewhere := map[string]string{"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": dataFolder(t)}
	for _, name := range []string{"FORECOURT_ADDR", "FORECOURT_ADMIN_ADDR"} {
		taken := maps.Clone(elsewhere)
		taken[name] = strings.TrimPrefix(address, "http://")
		shell{t, taken}.fails(1, name+": ", "serve")
	}
	check.Equal(t, p.end(), 0, "stopped with: %s", p.stderr)
	check.Equal(t, strings.Count(strings.Join(p.all, "\n"), "listening on"), 1, "ready lines in %q", p.all)
	for _, unasked := range []string{"panic", "goroutine", "admin listener"} {
		check.Lacks(t, strings.Join(p.all, "\n")+p.stderr.String(), unasked, "the program printed")
	}
	_, err := http.Get(address + "/healthz")
	check.Error(t, err, "the program still answers")

	again := start(t, values, "serve")
	code, body := get(t, again.ready()+"/readyz")
	check.Equal(t, code, http.StatusOK, "the second start: %s", body)
	check.Equal(t, again.end(), 0, "the second stop: %s", again.stderr)
	for _, command := range []string{"migrate", "demo", "demo"} {
		shell{t, values}.does(0, command)
	}
}

func TestTheSandboxAlone(t *testing.T) {
	t.Parallel()
	values := map[string]string{"FORECOURT_DATA": folder(t), "GATEWAY_KEY": "key"}
	p := start(t, values, "sandbox", "--addr", "127.0.0.1:0")
	address := p.ready()
	code, _ := get(t, address+"/ledger")
	check.Equal(t, code, http.StatusUnauthorized, "the ledger without a key")
	shell{t, values}.says(1, "in use by another process", "sandbox", "--addr", "127.0.0.1:0")
	check.Equal(t, p.end(), 0, "stopped with: %s", p.stderr)
}
