package main

import (
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"forecourt/internal/kit/check"
	"forecourt/ops/embedded"
)

// shell runs commands on one site.
type shell struct {
	t      *testing.T
	values map[string]string
}

// does runs a command, which has to exit with code, and returns everything it prints.
func (s shell) does(code int, args ...string) string {
	s.t.Helper()
	return s.types("", code, args...)
}

// says is does for a command that has to print text.
func (s shell) says(code int, text string, args ...string) string {
	s.t.Helper()
	said := s.does(code, args...)
	check.Contains(s.t, said, text, "%v says", args)
	return said
}

// fails is says for a command that prints one line, and nothing on stdout.
func (s shell) fails(code int, text string, args ...string) string {
	s.t.Helper()
	var stdout, stderr strings.Builder
	check.Equal(s.t, run(s.t.Context(), args, from(s.values), &stdout, &stderr), code, "%v: exit code: %s", args, &stderr)
	if stdout.Len() > 0 || strings.Count(stderr.String(), "\n") != 1 || !strings.Contains(stderr.String(), text) {
		s.t.Errorf("%v says %q and %q, want one line with %q", args, &stdout, &stderr, text)
	}
	return stderr.String()
}

// types is does for a command that reads stdin.
func (s shell) types(stdin string, code int, args ...string) string {
	s.t.Helper()
	var said strings.Builder
	env := environment{getenv: from(s.values), stdin: strings.NewReader(stdin), stdout: &said, stderr: &said}
	check.Equal(s.t, env.run(s.t.Context(), args), code, "%v: exit code: %s", args, &said)
	return said.String()
}

// as runs a command in a new process, which may become another user.
func (s shell) as(code int, args ...string) string {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), os.Args[0], args...)
	cmd.Env, cmd.Dir = append(os.Environ(), asProgram+"=1"), s.t.TempDir()
	for name, value := range s.values {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	said, err := cmd.CombinedOutput()
	check.Equal(s.t, cmd.ProcessState.ExitCode(), code, "%v: exit code: %v %s", args, err, said)
	return string(said)
}

// run runs the program with the settings that getenv returns.
func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) int {
	return environment{getenv: getenv, stdin: os.Stdin, stdout: stdout, stderr: stderr}.run(ctx, args)
}

// connect connects to a database until the test ends.
func connect(t *testing.T, address string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	check.Must(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

// connectInside connects to the database in the data folder of a serving program, as its owner or as the role of requests.
func connectInside(t *testing.T, dir string, asApp bool) *pgx.Conn {
	t.Helper()
	dsn, err := embedded.Attach(dir, embedded.Database)
	if err == nil && asApp {
		dsn, err = embedded.ForApp(dsn)
	}
	check.Must(t, err)
	return connect(t, dsn)
}
