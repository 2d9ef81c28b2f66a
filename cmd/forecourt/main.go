// Command forecourt is the whole product in one program: the web server, its database, its sandbox gateway and the
// commands that operators run.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"os/user"
	"strconv"
	"syscall"

	"github.com/alecthomas/kong"

	"forecourt/internal/kit/fault"
	"forecourt/internal/run/picture"
	"forecourt/ops/archive"
	"forecourt/ops/embedded"
)

func main() {
	embedded.Child()
	archive.Child()
	picture.Child()
	// A core file would hold card numbers. A system that refuses this limit writes no core files anyway.
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends what a first one cannot, such as reading a folder that hangs
	env := environment{getenv: os.Getenv, environ: os.Environ, stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	code := env.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// environment is the part of its process that a command may use.
type environment struct {
	getenv         func(string) string
	environ        func() []string // nil if unknown
	stdin          io.Reader
	stdout, stderr io.Writer
	root           bool // it began as root
}

// noRestart is the exit code for a wrong setting under systemd, EX_CONFIG of sysexits.h: deploy/forecourt.service does not start the
// program again. Go ends a program that panics or runs out of memory with 2, and that has to start again.
const noRestart = 78

// run runs the program and returns its exit code: 0 for success, 2 for wrong use, 1 for a failure, which it explains in one line on stderr,
// and noRestart.
func (env environment) run(ctx context.Context, args []string) int {
	code := 0
	if len(args) == 0 {
		args, env.stdout, code = []string{"--help"}, env.stderr, 2
	}
	helped := false // kong itself would exit the process
	parser, err := newParser(kong.Writers(env.stdout, env.stderr), kong.Exit(func(int) { helped = true }))
	if err != nil {
		return env.exitCode(err)
	}
	parsed, err := parser.Parse(spelled(args))
	switch {
	case helped:
		return code
	case err != nil:
		fmt.Fprintln(env.stderr, wordMisuse(err))
		return 2
	}
	env.root = os.Geteuid() == 0
	parsed.BindTo(ctx, (*context.Context)(nil))
	err = parsed.Run(env)
	if fault.CodeOf(err) == fault.Invalid {
		said := err.Error()
		if problems, ok := errors.AsType[fault.Problems](err); ok {
			said = problems.Sentences()
		}
		fmt.Fprintf(env.stderr, "%s: %s\n", parsed.Selected().FullPath(), fault.OneLine(said))
		return 2
	}
	return env.exitCode(err)
}

func (env environment) exitCode(err error) int {
	var setting *settingError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &setting):
		fmt.Fprintln(env.stderr, "forecourt:", err)
		if env.getenv("INVOCATION_ID") != "" { // systemd sets it
			return noRestart
		}
		return 2
	default:
		fmt.Fprintln(env.stderr, "forecourt:", fault.OneLine(err.Error())+env.wordRights(err))
		return 1
	}
}

// wrong returns an error for wrong use of a command.
func wrong(format string, args ...any) error { return fault.New(fault.Invalid, format, args...) }

// wordRights explains to root, who has every right, which user the process was when it was refused one.
func (env environment) wordRights(err error) string {
	if !env.root || os.Geteuid() == 0 || !errors.Is(err, fs.ErrPermission) {
		return ""
	}
	name := strconv.Itoa(os.Geteuid())
	if u, err := user.LookupId(name); err == nil {
		name = u.Username
	}
	return " (as " + name + ", who owns the data folder: root works there as its owner)"
}
