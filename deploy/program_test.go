//go:build long

package deploy_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// built returns the path of the program that make build has made.
func built(t *testing.T) string {
	t.Helper()
	program, err := filepath.Abs("../bin/forecourt")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(program); err != nil {
		t.Fatalf("%v: run make build", err)
	}
	return program
}

// serve runs a program with only these settings until the end of the test. It returns once the program listens.
func serve(t *testing.T, program string, settings ...string) {
	t.Helper()
	p := exec.Command(program, "serve")
	p.Dir, p.Env, p.Stderr, p.WaitDelay = t.TempDir(), append([]string{"PATH=" + os.Getenv("PATH")}, settings...), t.Output(), 10*time.Second
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = p.Process.Signal(syscall.SIGTERM)
		_ = p.Wait()
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if strings.Contains(lines.Text(), "listening on ") {
			return
		}
	}
	t.Fatal("the program does not listen")
}
