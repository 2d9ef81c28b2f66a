package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a running server that has announced its address.
type process struct {
	cmd     *exec.Cmd
	url     string
	started time.Time
	log     *os.File
}

// serve starts the program on a data folder below the run's folder; env adds settings to the defaults.
func (b *bench) serve(ctx context.Context, data string, env ...string) (*process, error) {
	return b.run(ctx, data, []string{"serve"}, env...)
}

// run starts a command of the program that listens on an address.
func (b *bench) run(ctx context.Context, data string, args []string, env ...string) (*process, error) {
	cmd := exec.CommandContext(ctx, b.program, args...)
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + b.folder, "FORECOURT_ADDR=127.0.0.1:0",
		"FORECOURT_DATA=" + filepath.Join(b.folder, data),
		"GOOGLEPAY_SCRIPT_URL=" + b.wallet,
	}, env...)
	return b.start(cmd)
}

func (b *bench) start(cmd *exec.Cmd) (*process, error) {
	log, err := os.CreateTemp(b.folder, "log-*")
	if err != nil {
		return nil, err
	}
	cmd.Stderr = log
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, started: time.Now(), log: log}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if address, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
			p.url = address
			go func() { _, _ = io.Copy(io.Discard, out) }() // its further output must not block it
			return p, nil
		}
	}
	err = cmd.Wait()
	said, _ := os.ReadFile(log.Name())
	return nil, fmt.Errorf("%s did not start: %w: %s", cmd, err, said)
}

// stop ends the process and waits for it.
func (p *process) stop() error {
	defer p.log.Close()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	err := p.cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == -1 {
		return nil // a bare server only ends by the signal
	}
	return err
}

// ticks is the number of units per second in which /proc counts processor time; it is 100 on every Linux.
const ticks = 100

// processorTime returns the processor time that the process has used so far, to a hundredth of a second.
func (p *process) processorTime() (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	return parseProcessorTime(string(text))
}

// parseProcessorTime reads user and system time, fields 14 and 15. Field 2, the name, may contain spaces.
func parseProcessorTime(stat string) (time.Duration, error) {
	fields := strings.Fields(stat[strings.LastIndexByte(stat, ')')+1:])
	if len(fields) < 13 {
		return 0, fmt.Errorf("/proc/PID/stat reads %q", stat)
	}
	user, err := strconv.ParseInt(fields[11], 10, 64)
	if err != nil {
		return 0, err
	}
	system, err := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * time.Second / ticks, err
}

// memoryShare returns the process's proportional set size (PSS) in MB, without its children.
func (p *process) memoryShare() (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	return parseShare(string(text))
}

func parseShare(rollup string) (float64, error) {
	for line := range strings.Lines(rollup) {
		var kibibytes int64
		if n, _ := fmt.Sscanf(line, "Pss: %d kB", &kibibytes); n == 1 {
			return float64(kibibytes) * 1024 / 1e6, nil
		}
	}
	return 0, errors.New("/proc/PID/smaps_rollup has no Pss")
}
