package main

import (
	"flag"
	"fmt"
	"os"
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
	// The tests may already run with a limit of 0, which would make this one prove nothing.
	raiseCoreLimit(t)
	p := startProcess(t, map[string]string{"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": dir}, "serve")
	pid, err := os.ReadFile(filepath.Join(dir, "cluster", "postmaster.pid"))
	check.Must(t, err)
	postmaster, _, _ := strings.Cut(string(pid), "\n")
	if runtime.GOOS == "linux" {
		for name, process := range map[string]string{"the program": fmt.Sprint(p.cmd.Process.Pid), "PostgreSQL": postmaster} {
			check.Equal(t, coreLimit(t, process), "0 0", "%s may write a core file: soft and hard limits", name)
		}
	}
	check.Must(t, p.cmd.Process.Signal(syscall.SIGTERM))
	<-p.ended
	check.Equal(t, p.cmd.ProcessState.ExitCode(), 0, "stopped: %s", p.stderr)
}

// raiseCoreLimit gives this process, and those that it starts, the largest soft limit that they may have. If the hard limit is 0, no
// program here leaves core files, and there is nothing to raise.
func raiseCoreLimit(t *testing.T) {
	t.Helper()
	var limit syscall.Rlimit
	check.Must(t, syscall.Getrlimit(syscall.RLIMIT_CORE, &limit))
	raised := syscall.Rlimit{Cur: limit.Max, Max: limit.Max}
	check.Must(t, syscall.Setrlimit(syscall.RLIMIT_CORE, &raised))
	t.Cleanup(func() { _ = syscall.Setrlimit(syscall.RLIMIT_CORE, &limit) })
	t.Logf("the limit is %d bytes", raised.Cur)
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
