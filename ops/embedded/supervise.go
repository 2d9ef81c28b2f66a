package embedded

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	bootAttempts = 3                      // tries of the first boot: what a killed program left behind may disturb one
	readyPoll    = 2 * time.Millisecond   // how often the status of a starting postgres is read
	outputWait   = 100 * time.Millisecond // how long a dead postgres' children may hold its output open
	minBackoff   = 10 * time.Millisecond  // the shortest wait before postgres is started again
	maxBackoff   = 5 * time.Second        // the longest one
)

// supervise runs postgres until Stop. booted receives one value: nil when postgres is first ready, or the reason why it never was.
func (s *Server) supervise(booted chan<- error) {
	// The kernel ends postgres when the thread that started it ends, so this goroutine keeps its thread until then.
	runtime.LockOSThread()
	defer func() {
		if err := s.release(); err != nil {
			s.logger.Error("PostgreSQL was not shut down cleanly", "error", err)
		}
		close(s.done)
	}()
	everReady, failed := false, 0
	for {
		ready, err := s.runOnce(func() {
			if everReady {
				s.logger.Info("PostgreSQL is back")
				return
			}
			booted <- nil
		})
		everReady = everReady || ready
		failed++
		if ready {
			failed = 0
		}
		switch {
		case s.isStopping():
			return
		case !everReady && failed == s.bootAttempts:
			booted <- err
			return
		}
		s.logger.Error("PostgreSQL ended by itself, starting it again", "error", err)
		select {
		case <-s.stopping:
			return
		case <-time.After(backoff(failed)):
		}
	}
}

// backoff returns the pause after so many consecutive starts of which none became ready.
func backoff(failed int) time.Duration {
	if failed == 0 {
		return 0
	}
	return min(minBackoff<<min(failed, 16), maxBackoff)
}

// runOnce starts postgres, waits until it ends and returns the reason. It calls onReady when postgres is ready, and reports whether that
// happened.
func (s *Server) runOnce(onReady func()) (bool, error) {
	if err := evict(context.Background(), s.cluster); err != nil {
		return false, err
	}
	if err := s.clearLocks(); err != nil {
		return false, err
	}
	cmd := s.postgres()
	if err := cmd.Start(); err != nil {
		return false, err
	}
	s.mu.Lock()
	s.process = cmd.Process
	s.mu.Unlock()
	if s.isStopping() {
		s.signal(syscall.SIGINT) // Stop was called before there was a process to signal
	}
	exited, watched := make(chan struct{}), make(chan bool)
	go func() {
		ready := s.awaitReady(cmd.Process.Pid, exited)
		if ready {
			onReady()
		}
		watched <- ready
	}()
	err := cmd.Wait()
	close(exited)
	ready := <-watched
	if err == nil {
		err = fmt.Errorf("it was stopped from outside")
	}
	return ready, fmt.Errorf("postgres exited: %w; end of its log: %s", err, s.output.Tail())
}

// postgres is the command that runs the server.
func (s *Server) postgres() *exec.Cmd {
	args := append([]string{"-D", s.cluster}, s.arguments()...)
	cmd := s.command(context.Background(), "postgres", args...)
	cmd.Dir = s.cluster
	cmd.Env = append(cmd.Env, s.environment...)
	if s.program != nil {
		cmd.ExtraFiles = []*os.File{s.program}
	}
	cmd.Stderr = s.output
	cmd.WaitDelay = outputWait
	// SIGINT makes postgres end cleanly when the program is killed.
	cmd.SysProcAttr.Pdeathsig = syscall.SIGINT
	return cmd
}

// command prepares a PostgreSQL program to run as the server's account. The program does not inherit our environment, which may carry
// secrets and PG* variables that would change its behaviour. TZ is set to spare initdb a long search. It gets its own session: Ctrl-C in
// the terminal would reach postgres while we still need it, and a program that somebody put into the data folder could type into root's
// terminal.
func (s *Server) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, name), args...)
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TZ=UTC"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.account.credential(), Setsid: true}
	return cmd
}

// awaitReady returns true when the postmaster accepts sessions, false if it exits before that.
func (s *Server) awaitReady(pid int, exited <-chan struct{}) bool {
	poll := time.NewTicker(readyPoll)
	defer poll.Stop()
	for !s.isReady(pid) {
		select {
		case <-exited:
			return false
		case <-poll.C:
		}
	}
	return true
}

// isReady reads the status that the postmaster keeps in the eighth line of its pid file, as pg_ctl does.
func (s *Server) isReady(pid int) bool {
	data, err := os.ReadFile(s.pidFile())
	if err != nil {
		return false
	}
	lines := strings.Split(string(data), "\n")
	return len(lines) > 7 && lines[0] == strconv.Itoa(pid) && strings.TrimSpace(lines[7]) == "ready"
}

func (s *Server) pidFile() string { return filepath.Join(s.cluster, "postmaster.pid") }

func (s *Server) isStopping() bool {
	select {
	case <-s.stopping:
		return true
	default:
		return false
	}
}

// signal signals the postmaster, if there is one.
func (s *Server) signal(sig os.Signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.process == nil {
		return
	}
	if err := s.process.Signal(sig); err != nil {
		s.logger.Debug("PostgreSQL had ended already", "error", err)
	}
}
