package embedded

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sys/unix"

	"forecourt/internal/kit/check"
)

func TestServer(t *testing.T) {
	t.Parallel()
	dir := newFolder(t)
	s := startServer(t, Options{Dir: dir, Settings: map[string]string{"work_mem": "5MB"}})
	dsn := s.DSN(Database)

	for name, want := range map[string]string{
		"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on", "data_checksums": "on",
		"listen_addresses": "", "server_encoding": "UTF8", "TimeZone": "UTC", "jit": "off", "max_connections": "100", "shared_buffers": "64MB", "max_wal_size": "512MB",
		"log_error_verbosity": "terse", "log_min_error_statement": "panic", "work_mem": "5MB",
		"wal_compression": "pglz", "checkpoint_completion_target": "0.9", "random_page_cost": "1.1",
	} {
		wantAnswer(t, dsn, "SHOW "+name, want)
	}
	wantAnswer(t, dsn, "SELECT lower('ÄÇ')", "äç")

	pid := postmaster(t, s)
	session, err := unix.Getsid(pid)
	check.Equal(t, session, pid, "postgres is in session, %v; Ctrl-C would reach it", err)

	execute(t, dsn, "CREATE TABLE kept (id int PRIMARY KEY, note text)", "INSERT INTO kept VALUES (1, 'committed')")

	t.Run("PostgreSQL does not log refused rows and values", func(t *testing.T) {
		for _, sql := range []string{
			"INSERT INTO kept VALUES (1, 'canary-row')", "SELECT 'canary-value'::text::int", "SELECT canary_statement FROM nothing",
		} {
			_, err := ask(t.Context(), dsn, sql)
			check.Error(t, err, "%s was accepted", sql)
		}
		log := readLog(t, dir)
		if strings.Contains(log, "canary") || !strings.Contains(log, "starting PostgreSQL") {
			t.Errorf("log:\n%s", log)
		}
	})

	t.Run("a killed postmaster restarts with the committed data", func(t *testing.T) {
		conn, err := pgx.Connect(t.Context(), dsn)
		check.Must(t, err)
		defer conn.Close(t.Context())
		_, err = conn.Exec(t.Context(), "BEGIN; INSERT INTO kept VALUES (2, 'open')")
		check.Must(t, err)
		old := postmaster(t, s)
		check.Must(t, syscall.Kill(old, syscall.SIGKILL))
		wantAnswerSoon(t, dsn, "SELECT string_agg(note, ' ') FROM kept", "committed")
		if postmaster(t, s) == old {
			t.Error("the postmaster was not killed")
		}
	})

	t.Run("a session that outlives its postmaster does not delay the restart", func(t *testing.T) {
		conn, err := pgx.Connect(t.Context(), dsn)
		check.Must(t, err)
		ended := make(chan error, 1)
		go func() {
			_, err := conn.Exec(t.Context(), "DO $$ BEGIN FOR i IN 1..2000000000 LOOP END LOOP; END $$")
			ended <- err
		}()
		wantAnswerSoon(t, dsn, "SELECT 'busy' FROM pg_stat_activity WHERE query LIKE 'DO %' AND state = 'active'", "busy")
		check.Must(t, syscall.Kill(postmaster(t, s), syscall.SIGKILL))
		check.Error(t, <-ended, "the session ended before its postmaster was killed")
		wantAnswerSoon(t, dsn, "SELECT string_agg(note, ' ') FROM kept", "committed")
		if err := conn.Close(t.Context()); err != nil {
			t.Log(err)
		}
	})

	t.Run("the database works after a session was killed", func(t *testing.T) {
		conn, err := pgx.Connect(t.Context(), dsn)
		check.Must(t, err)
		defer conn.Close(t.Context())
		check.Must(t, syscall.Kill(int(conn.PgConn().PID()), syscall.SIGKILL))
		_, err = conn.Exec(t.Context(), "SELECT")
		check.Error(t, err, "the session was not killed")
		wantAnswerSoon(t, dsn, "SELECT string_agg(note, ' ') FROM kept", "committed")
	})

	t.Run("a stop leaves no socket and no process, and the next boot has the data", func(t *testing.T) {
		stopServer(t, s)
		stopServer(t, s)
		<-s.Done()
		if left, err := serversBelow(dir); err != nil || len(left) > 0 {
			t.Errorf("processes %v are still running, %v", left, err)
		}
		wantFolderEntries(t, filepath.Join(dir, "run"))
		again := startServer(t, Options{Dir: dir})
		wantAnswer(t, again.DSN(Database), "SELECT note FROM kept", "committed")
		wantFolderEntries(t, dir, "cluster", "lock", "postgres.log", "run")
	})
}

func TestOneProgramPerFolder(t *testing.T) {
	t.Parallel()
	dir := newFolder(t)
	var servers [2]*Server
	var errs [2]error
	var both sync.WaitGroup
	for i := range servers {
		both.Go(func() { servers[i], errs[i] = Start(t.Context(), Options{Dir: dir}) })
	}
	both.Wait()
	winner, loser := 0, 1
	if errs[winner] != nil {
		winner, loser = loser, winner
	}
	if errs[winner] != nil || !errors.Is(errs[loser], ErrLocked) {
		t.Fatalf("two programs: %v and %v; want one to run and one ErrLocked", errs[0], errs[1])
	}
	wantAnswer(t, servers[winner].DSN(Database), "SELECT 'works'", "works")
	stopServer(t, servers[winner])

	t.Run("locks that name another program's living process do not stop the next boot", func(t *testing.T) {
		s := servers[winner]
		foreign := s.command(t.Context(), "sleep", "600")
		foreign.Path = "/bin/sleep"
		check.Must(t, foreign.Start())
		pid := strconv.Itoa(foreign.Process.Pid)
		for name, content := range map[string]string{
			s.pidFile(): pid + "\n" + s.cluster + "\n1\n5432\n" + s.socket + "\n\n  1234 5678\nready   \n",
			filepath.Join(s.socket, ".s.PGSQL.5432.lock"): pid + "\n" + s.cluster + "\n1\n5432\n" + s.socket + "\n",
			filepath.Join(s.socket, ".s.PGSQL.5432"):      "",
		} {
			check.Must(t, os.WriteFile(name, []byte(content), 0o600))
			check.Must(t, os.Chown(name, s.account.uid, s.account.gid))
		}
		again := startServer(t, Options{Dir: dir})
		wantAnswer(t, again.DSN(Database), "SELECT 'works'", "works")
		kill(t, foreign)
	})
}

func TestAwkwardFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(newFolder(t), strings.Repeat("long", 25), "it's odd; isn't it? 100%")
	check.Must(t, os.Chmod(filepath.Dir(filepath.Dir(dir)), 0o711))
	s := startServer(t, Options{Dir: dir})
	wantAnswer(t, s.DSN(Database), "SELECT current_database()", Database)
	stopServer(t, s)
	_, err := os.Stat(s.socket)
	check.ErrorIs(t, err, fs.ErrNotExist, "the short folder for the socket is still there")
}

func TestPathsThatPostgresCannotTake(t *testing.T) {
	t.Parallel()
	for _, name := range []string{`a"b`, "a$b", "a`b", `a\b`, "a\nb"} {
		dir := filepath.Join(t.TempDir(), name)
		_, err := Start(t.Context(), Options{Dir: dir})
		check.ErrorIs(t, err, errPath, "%q", name)
		_, err = os.Stat(dir)
		check.ErrorIs(t, err, fs.ErrNotExist, "the folder %q exists", name)
	}
}

func TestUnreachableFolder(t *testing.T) {
	t.Parallel()
	closed := newFolder(t)
	check.Must(t, os.Chmod(closed, 0))
	want := fs.ErrPermission // a normal user cannot make the folder at all
	if os.Geteuid() == 0 {
		want = ErrUnreachable
	}
	if _, err := Start(t.Context(), Options{Dir: filepath.Join(closed, "data")}); !errors.Is(err, want) {
		t.Errorf("got %v; want %v", err, want)
	}
	check.Must(t, os.Chmod(closed, 0o700))
	wantFolderEntries(t, closed)
}
