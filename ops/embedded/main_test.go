package embedded

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
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"forecourt/internal/kit/check"
)

// programFolder names the environment variable that turns the test binary into a program that runs a server in the given folder
// until its input ends.
const programFolder = "FORECOURT_TEST_PROGRAM_FOLDER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(programFolder); dir != "" {
		if err := runProgram(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func runProgram(dir string) error {
	s, err := Start(context.Background(), Options{Dir: dir})
	if err != nil {
		return err
	}
	fmt.Println("ready")
	_, err = io.Copy(io.Discard, os.Stdin)
	return errors.Join(err, s.Stop(context.Background()))
}

// startProgram starts that program in its own process. ready receives true when its server runs, or false if it ended first.
func startProgram(t *testing.T, dir string) (cmd *exec.Cmd, ready <-chan bool) {
	t.Helper()
	self, err := os.Executable()
	check.Must(t, err)
	cmd = exec.Command(self)
	cmd.Env = append(os.Environ(), programFolder+"="+dir)
	cmd.Stderr = os.Stderr
	_, err = cmd.StdinPipe()
	check.Must(t, err)
	out, err := cmd.StdoutPipe()
	check.Must(t, err)
	check.Must(t, cmd.Start())
	answer := make(chan bool, 1)
	go func() {
		line, err := bufio.NewReader(out).ReadString('\n')
		answer <- err == nil && line == "ready\n"
	}()
	return cmd, answer
}

// kill ends a program as kill -9 does.
func kill(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	check.Must(t, cmd.Process.Kill())
	if err := cmd.Wait(); err == nil {
		t.Fatal("the program ended before it was killed")
	}
}

// newFolder makes a data folder that PostgreSQL can reach even when root runs the tests, unlike the folders of t.TempDir.
func newFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	check.Must(t, os.Chmod(filepath.Dir(dir), 0o711))
	return dir
}

func startServer(t *testing.T, o Options) *Server {
	t.Helper()
	s, err := Start(t.Context(), o)
	check.Must(t, err)
	t.Cleanup(func() { stopServer(t, s) })
	return s
}

func stopServer(t *testing.T, s *Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Minute)
	defer cancel()
	check.NoError(t, s.Stop(ctx))
}

// ask runs one statement in a new session and returns the first value.
func ask(ctx context.Context, dsn, sql string) (string, error) {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	var value string
	err = conn.QueryRow(ctx, sql).Scan(&value)
	return value, err
}

func wantAnswer(t *testing.T, dsn, sql, want string) {
	t.Helper()
	got, err := ask(t.Context(), dsn, sql)
	if err != nil || got != want {
		t.Errorf("%s = %q, %v; want %q", sql, got, err, want)
	}
}

// wantAnswerSoon repeats the statement until it succeeds.
func wantAnswerSoon(t *testing.T, dsn, sql, want string) {
	t.Helper()
	soon(t, func() (err error) {
		got, err := ask(t.Context(), dsn, sql)
		if err == nil {
			check.Equal(t, got, want, "%s", sql)
		}
		return err
	})
}

// soon tries again until there is no error.
func soon(t *testing.T, try func() error) {
	t.Helper()
	end := time.Now().Add(time.Minute)
	for err := try(); err != nil; err = try() {
		if time.Now().After(end) {
			t.Fatalf("after a minute: %v", err)
		}
		<-time.After(5 * time.Millisecond)
	}
}

func execute(t *testing.T, dsn string, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	check.Must(t, err)
	defer conn.Close(t.Context())
	for _, sql := range statements {
		_, err := conn.Exec(t.Context(), sql)
		check.Must(t, err, "%s", sql)
	}
}

// postmaster returns the process id in the pid file.
func postmaster(t *testing.T, s *Server) int {
	t.Helper()
	data, err := os.ReadFile(s.pidFile())
	check.Must(t, err)
	first, _, _ := strings.Cut(string(data), "\n")
	pid, err := strconv.Atoi(first)
	check.Must(t, err)
	return pid
}

func readLog(t *testing.T, dir string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "postgres.log"))
	check.Must(t, err)
	return string(data)
}

func wantFolderEntries(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	check.Must(t, err)
	var got []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), programPrefix) {
			got = append(got, e.Name())
		}
	}
	check.Equal(t, strings.Join(got, " "), strings.Join(want, " "), "the folder holds")
}
