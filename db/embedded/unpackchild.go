package embedded

import (
	"context"
	"fmt"
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
