package embedded

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
)

// unpackCommand is the first argument of a program that unpacks PostgreSQL.
const unpackCommand = "postgres-unpack"

// able says whether main has called Child. A program that has not called it would start itself again and again.
var able atomic.Bool

// unpackAside unpacks PostgreSQL in a child process: the archive and the decoder's window would stay in this one's memory for minutes.
func unpackAside(ctx context.Context, dir, home string) error {
	if !able.Load() {
		return unpack(dist, dir, home)
	}
	// A process that began as root and became another user may not reach its own program by its path.
	cmd := exec.CommandContext(ctx, "/proc/self/exe", unpackCommand, dir, home)
	cmd.Env = []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	// Pdeathsig watches the thread, not the process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(out)))
	}
	return nil
}

// Child must be among the first calls of main. In a process that unpackAside started, it unpacks and exits.
func Child() {
	if len(os.Args) == 4 && os.Args[1] == unpackCommand {
		if err := unpack(dist, os.Args[2], os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	able.Store(true)
}
