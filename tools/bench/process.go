package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
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

// command returns a command of the program on a data folder below the run's folder; env adds settings to the defaults.
func (b *bench) command(ctx context.Context, data string, args []string, env ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, b.program, args...)
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + b.folder, "FORECOURT_ADDR=127.0.0.1:0", "FORECOURT_DATA=" + filepath.Join(b.folder, data),
		"FORECOURT_DEMO=on", "TRUSTED_PROXIES=127.0.0.1",
	}, env...)
	return cmd
}

// serve starts the program.
func (b *bench) serve(ctx context.Context, data string, env ...string) (*process, error) {
	return b.start(b.command(ctx, data, []string{"serve"}, env...))
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
	for lines := bufio.NewScanner(out); lines.Scan(); {
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
	http.DefaultClient.CloseIdleConnections() // an open connection would hold up the stop
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

// memory returns the process's proportional set size (PSS) in kB, without its children.
func (p *process) memory() (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", p.cmd.Process.Pid))
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

// starts measures the time from the start of the program until it is ready, with the built-in database: in an empty folder, then again in
// the same folder.
func (b *bench) starts(ctx context.Context) error {
	const restarts = 5
	first, err := b.boot(ctx)
	if err != nil {
		return err
	}
	var again []float64
	for range restarts {
		one, err := b.boot(ctx)
		if err != nil {
			return err
		}
		again = append(again, one)
	}
	b.section("Start, with the built-in database")
	b.atMost("first start to ready, empty folder", first, 3000, milliseconds)
	b.atMost("later start to ready", median(again), 300, milliseconds)
	return nil
}

// boot starts the program, waits until it is ready, stops it, and returns milliseconds.
func (b *bench) boot(ctx context.Context) (float64, error) {
	p, err := b.serve(ctx, "start")
	if err != nil {
		return 0, err
	}
	_, err = record(ctx, p.url+"/readyz")
	taken := time.Since(p.started)
	return ms(taken), errors.Join(err, p.stop())
}
