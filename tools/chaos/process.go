package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// bootLimit is how long a program may take to listen.
const bootLimit = 2 * time.Minute

// process is a program that this one started, and that dies with it.
type process struct {
	cmd  *exec.Cmd
	url  string // where it listens
	done chan struct{}
}

// launch starts a program and returns when it listens. The program's stderr is appended to the log file.
func launch(ctx context.Context, log string, env []string, binary string, args ...string) (*process, error) {
	file, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	p := &process{cmd: exec.CommandContext(context.WithoutCancel(ctx), binary, args...), done: make(chan struct{})}
	p.cmd.Env, p.cmd.Stderr = env, file
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	started, listening := make(chan error, 1), make(chan string, 1)
	go func() {
		// Pdeathsig watches the thread, so this goroutine keeps it.
		runtime.LockOSThread()
		defer close(p.done)
		defer func() { _ = file.Close() }()
		err := p.cmd.Start()
		started <- err
		if err != nil {
			return
		}
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			if url, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
				listening <- url
			}
		}
		_ = p.cmd.Wait()
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	select {
	case p.url = <-listening:
		return p, nil
	case <-p.done:
		return nil, fmt.Errorf("the program ended before it listened, see %s", log)
	case <-time.After(bootLimit):
		err = fmt.Errorf("the program does not listen after %s, see %s", bootLimit, log)
	case <-ctx.Done():
		err = ctx.Err()
	}
	p.kill()
	return nil, err
}

// kill ends the process as a power cut would, and waits for its end.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
}
