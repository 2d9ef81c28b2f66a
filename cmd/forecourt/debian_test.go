//go:build long

package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/fake"
)

// debian is a PostgreSQL from Debian's packages on loopback, with the database forecourt. The built-in one cannot be replicated.
type debian struct {
	t         *testing.T
	bin       string // folder of its programs
	dir, port string
	cmd       *exec.Cmd
}

// newDebian makes a cluster and starts it.
func newDebian(t *testing.T) *debian {
	t.Helper()
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/pg_basebackup")
	if len(found) == 0 {
		t.Fatal("this needs PostgreSQL from Debian: apt-get install postgresql")
	}
	d := &debian{t: t, bin: filepath.Dir(slices.Max(found))}
	d.place()
	d.run("initdb", "--pgdata", d.dir, "--username", "postgres", "--auth", "trust", "--encoding", "UTF8", "--locale", "C")
	d.start()
	d.exec("CREATE DATABASE forecourt")
	return d
}

// newStandby copies a cluster and starts the copy, which follows the original under the name standby.
func (d *debian) newStandby() *debian {
	d.t.Helper()
	s := &debian{t: d.t, bin: d.bin}
	s.place()
	s.run("pg_basebackup", "--dbname", "host=127.0.0.1 user=postgres application_name=standby port="+d.port, "--pgdata", s.dir,
		"--write-recovery-conf", "--wal-method", "stream", "--checkpoint", "fast")
	s.start()
	return s
}

// place chooses a folder that PostgreSQL's user owns, and a port.
func (d *debian) place() {
	d.t.Helper()
	d.dir = folder(d.t)
	if account := asPostgres(d.t); account != nil {
		check.Must(d.t, os.Chown(d.dir, int(account.Uid), int(account.Gid)))
	}
	check.Must(d.t, os.Chmod(d.dir, 0o700))
	_, d.port, _ = net.SplitHostPort(fake.FreeAddress(d.t))
}

func (d *debian) start() {
	d.t.Helper()
	d.cmd = d.command("postgres", "-D", d.dir, "-p", d.port, "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=")
	check.Must(d.t, d.cmd.Start())
	d.t.Cleanup(func() { d.kill(syscall.SIGQUIT) })
	apptest.Eventually(d.t, "PostgreSQL answers", func() bool {
		conn, err := pgx.Connect(d.t.Context(), d.url("postgres"))
		if err == nil {
			_ = conn.Close(d.t.Context())
		}
		return err == nil
	})
}

// kill ends the server's first process. Its children end with it; SIGQUIT tells them to.
func (d *debian) kill(with syscall.Signal) {
	_ = d.cmd.Process.Signal(with)
	_ = d.cmd.Wait()
}

func (d *debian) run(program string, args ...string) {
	d.t.Helper()
	if out, err := d.command(program, args...).CombinedOutput(); err != nil {
		d.t.Fatalf("%s: %v %s", program, err, out)
	}
}

// command returns a program that runs as PostgreSQL's user. It outlives the test's context, so that only kill ends it.
func (d *debian) command(program string, args ...string) *exec.Cmd {
	d.t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(d.t.Context()), filepath.Join(d.bin, program), args...)
	cmd.Dir, cmd.SysProcAttr = "/", &syscall.SysProcAttr{Credential: asPostgres(d.t)}
	return cmd
}

// exec runs statements, each as its own transaction, in the database postgres.
func (d *debian) exec(statements ...string) {
	d.t.Helper()
	conn := connect(d.t, d.url("postgres"))
	defer conn.Close(d.t.Context())
	for _, statement := range statements {
		dbtest.Exec(d.t, conn, statement)
	}
}

func (d *debian) url(database string) string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%s/%s?sslmode=disable", d.port, database)
}
