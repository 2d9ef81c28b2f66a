package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/ops/archive"
	"forecourt/ops/embedded"
)

// asProgram names the environment variable that makes this test binary run main with its arguments.
const asProgram = "FORECOURT_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	embedded.Child()
	archive.Child()
	if os.Getenv(asProgram) != "" {
		limitFiles(os.Getenv(openFiles))
		main()
	}
	if flag.Parse(); *update { // needs no database
		os.Exit(m.Run())
	}
	dbtest.Main(cleaned{m})
}

func TestNeitherProgramNorDatabaseLeavesACoreFile(t *testing.T) {
	t.Parallel()
	dir := demoFolder(t)
	program := exec.CommandContext(t.Context(), os.Args[0], "serve")
	program.Env = append(os.Environ(), asProgram+"=1", "FORECOURT_ADDR=127.0.0.1:0", "FORECOURT_DATA="+dir)
	program.Dir = dir
	var stderr shared
	program.Stderr = &stderr
	out, err := program.StdoutPipe()
	check.Must(t, err)
	// The tests may already run with a limit of 0, which would make this one prove nothing.
	raiseCoreLimit(t, program)
	lines := bufio.NewScanner(out)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "listening on ") {
		continue
	}
	pid, err := os.ReadFile(filepath.Join(dir, "cluster", "postmaster.pid"))
	if err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	postmaster, _, _ := strings.Cut(string(pid), "\n")
	if runtime.GOOS == "linux" {
		for name, process := range map[string]string{"the program": fmt.Sprint(program.Process.Pid), "PostgreSQL": postmaster} {
			check.Equal(t, coreLimit(t, process), "0 0", "%s may write a core file: soft and hard limits", name)
		}
	}
	check.Must(t, program.Process.Signal(syscall.SIGTERM))
	for lines.Scan() {
		continue
	}
	check.NoError(t, program.Wait(), "stopped: %s", &stderr)
}

// raiseCoreLimit starts a program with the largest soft limit that this process may give it. If the hard limit is 0, no
// program here leaves core files, and there is nothing to raise.
func raiseCoreLimit(t *testing.T, program *exec.Cmd) {
	t.Helper()
	var limit syscall.Rlimit
	check.Must(t, syscall.Getrlimit(syscall.RLIMIT_CORE, &limit))
	raised := syscall.Rlimit{Cur: limit.Max, Max: limit.Max}
	check.Must(t, syscall.Setrlimit(syscall.RLIMIT_CORE, &raised))
	t.Cleanup(func() { _ = syscall.Setrlimit(syscall.RLIMIT_CORE, &limit) })
	check.Must(t, program.Start())
	t.Logf("started with a limit of %d bytes", raised.Cur)
	t.Cleanup(func() { _ = program.Process.Kill() })
}

// coreLimit returns the soft and the hard limit of a process, in bytes.
func coreLimit(t *testing.T, pid string) string {
	t.Helper()
	text, err := os.ReadFile("/proc/" + pid + "/limits")
	check.Must(t, err)
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "Max core file size"); ok {
			fields := strings.Fields(rest)
			return fields[0] + " " + fields[1]
		}
	}
	t.Fatalf("no limit of core files in %s", text)
	return ""
}
