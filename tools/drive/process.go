// Package drive runs the program from outside and asks it like a browser. The bench and chaos use it.
package drive

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

// bootLimit is how long a program may take to listen, stopLimit how long it may take to end.
const bootLimit, stopLimit = 2 * time.Minute, 30 * time.Second

// Process is a program that this one started, and that dies with it.
type Process struct {
	*exec.Cmd
	URL  string        // where it listens
	Done chan struct{} // is closed once it has ended
	end  error
}

// Start starts a program and returns when it listens. Its stderr is appended to the log file. A nil env is this program's own.
func Start(ctx context.Context, log string, env []string, binary string, args ...string) (*Process, error) {
	file, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	p := &Process{Cmd: exec.CommandContext(context.WithoutCancel(ctx), binary, args...), Done: make(chan struct{})}
	p.Env, p.Stderr = env, file
	p.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stdout, err := p.StdoutPipe()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	started, listening := make(chan error, 1), make(chan string, 1)
	go func() {
		// Pdeathsig watches the thread, so this goroutine keeps it.
		runtime.LockOSThread()
		defer close(p.Done)
		defer func() { _ = file.Close() }()
		err := p.Start()
		started <- err
		if err != nil {
			return
		}
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			if url, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
				listening <- url
			}
		}
		p.end = p.Wait()
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	select {
	case p.URL = <-listening:
		return p, nil
	case <-p.Done:
		return nil, fmt.Errorf("the program ended before it listened, see %s", log)
	case <-time.After(bootLimit):
		err = fmt.Errorf("the program does not listen after %s, see %s", bootLimit, log)
	case <-ctx.Done():
		err = ctx.Err()
	}
	p.Kill()
	return nil, err
}

// Environment returns the settings of a demo site on a data folder, and more.
func Environment(data string, more ...string) []string {
	return append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + data, "FORECOURT_ADDR=127.0.0.1:0", "FORECOURT_DATA=" + data, "FORECOURT_DEMO=on",
		"TRUSTED_PROXIES=127.0.0.1",
	}, more...)
}

// Run runs a command to its end and returns what it said.
func Run(ctx context.Context, env []string, binary string, args ...string) (said string, err error) {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// Kill ends the process as a power cut would, and waits for its end.
func (p *Process) Kill() {
	_ = p.Process.Kill()
	<-p.Done
}

// Stop asks the process to end and waits until it has. It returns an error if it ended otherwise than by that, or not at all.
func (p *Process) Stop() error {
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case <-p.Done:
	case <-time.After(stopLimit):
		p.Kill()
	}
	var exit *exec.ExitError
	if errors.As(p.end, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGTERM {
		return nil
	}
	return p.end
}

// Memory returns the process's proportional set size (PSS) in kB, without its children.
func (p *Process) Memory() (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", p.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		var kibibytes int64
		if n, _ := fmt.Sscanf(line, "Pss: %d kB", &kibibytes); n == 1 {
			return float64(kibibytes) * 1.024, nil
		}
	}
	return 0, errors.New("/proc/PID/smaps_rollup has no Pss")
}
