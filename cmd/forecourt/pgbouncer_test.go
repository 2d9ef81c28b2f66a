//go:build long

package main

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"forecourt/app/apptest"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/internal/kit/fake"
	"forecourt/internal/upkeep/demo"
)

// TestTheSiteWorksThroughPgBouncer runs two processes on an empty database through PgBouncer in transaction mode, with fewer server
// connections than they use. They migrate, load the demo data, order, pay, keep forms, send mail and announce changes to each other.
func TestTheSiteWorksThroughPgBouncer(t *testing.T) {
	direct := emptyDatabase(t)
	values := site(t, pgbouncer(t, direct))
	values["DATABASE_LISTEN_URL"] = direct
	one, two := startProcess(t, values, "serve"), startProcess(t, values, "serve")
	if !strings.Contains(one.stderr.String(), "DATABASE_URL leads to a pooler") ||
		!strings.Contains(one.stderr.String(), "no lock_timeout: ALTER ROLE") {
		t.Errorf("the log does not mention the pooler: %s", one.stderr)
	}

	var flow sync.WaitGroup
	for i := range 8 {
		flow.Go(func() {
			c := newCustomer(t, []string{one.address, two.address}[i%2])
			for range 10 {
				c.send(http.MethodGet, "/pos/panezski", "", "", "200")
				c.json(c.order("panezski"), "panezski", "200", "pan", approves)
				c.becomes("panezski", c.form(c.order("panezski"), "panezski", "303", "card", chargedNumber), "success")
			}
		})
	}
	flow.Wait()

	hearEachOther(t, one, two)
	admin := newCustomer(t, two.address)
	admin.signIn(demo.Email, demo.Password, "303")
	apptest.Eventually(t, "the receipt is mailed", func() bool {
		return strings.Contains(admin.send(http.MethodGet, "/dev/outbox", "", "", "200"), "pat@example.com")
	})
	admin.send(http.MethodPost, "/form/application", formType, "", "303") // stored as JSON, a type that the driver has to know

	for _, command := range []string{"migrate", "demo", "reconcile"} {
		shell{t, values}.does(0, command)
	}
	for _, p := range []*process{one, two} {
		for line := range strings.Lines(p.stderr.String()) {
			if strings.Contains(line, `"level":"ERROR"`) || strings.Contains(line, "prepared statement") {
				t.Errorf("the log has the line %s", line)
			}
		}
	}
}

func TestAPoolerThatCannotWorkIsNamed(t *testing.T) {
	direct := emptyDatabase(t)
	pooled := pgbouncer(t, direct)
	base := map[string]string{
		"FORECOURT_SECRET": strings.Repeat("s", 32), "FORECOURT_DATA": folder(t),
		"FORECOURT_ADDR": "127.0.0.1:0", "SMTP_URL": "smtp://127.0.0.1:1",
	}
	for _, tt := range []struct {
		name, url, listen string
		code              int
		says              string
	}{
		{"events over the pooler", pooled, "", 2, "DATABASE_LISTEN_URL: it has to be set, since DATABASE_URL leads to a pooler"},
		{"events over the pooler, asked for", pooled, pooled, 2, "DATABASE_LISTEN_URL: events sent over DATABASE_URL do not arrive there"},
		{"events of another database", direct, emptyDatabase(t), 2, "DATABASE_LISTEN_URL: events sent over DATABASE_URL do not arrive there"},
		{"prepared statements", pooled + "&default_query_exec_mode=cache_statement", direct, 0, "leave default_query_exec_mode out"},
		{"no timeouts", pooled, direct, 0, "have no statement_timeout: ALTER ROLE"},
	} {
		values := with(with(base, "DATABASE_URL", tt.url), "DATABASE_LISTEN_URL", tt.listen)
		var said strings.Builder
		run(t.Context(), []string{"doctor"}, from(values), &said, &said) // other findings decide its exit code
		check.Contains(t, said.String(), tt.says, "%s: the doctor", tt.name)
		if tt.code != 0 {
			shell{t, values}.says(tt.code, tt.says, "serve")
		}
	}
	// It may fail at any statement or at none, but logs the reason first.
	p := start(t, with(with(base, "DATABASE_URL", pooled+"&default_query_exec_mode=cache_statement"), "DATABASE_LISTEN_URL", direct), "serve")
	apptest.Eventually(t, "the start says what is wrong", func() bool {
		return strings.Contains(p.stderr.String(), "leave default_query_exec_mode out")
	})
}

// emptyDatabase makes a database without any table and returns its address.
func emptyDatabase(t *testing.T) string {
	t.Helper()
	address, err := url.Parse(dbtest.URL(t))
	check.Must(t, err)
	conn := connect(t, address.String())
	address.Path += "_empty"
	dbtest.Exec(t, conn, "CREATE DATABASE "+strings.Trim(address.Path, "/"))
	return address.String()
}

// pgbouncer starts PgBouncer in transaction mode in front of a database's server and returns the database's address through it. All clients
// share four connections.
func pgbouncer(t *testing.T, direct string) string {
	t.Helper()
	cfg, err := pgx.ParseConfig(direct)
	check.Must(t, err)
	dir, address := folder(t), fake.FreeAddress(t)
	host, port, _ := net.SplitHostPort(address)
	config, users := filepath.Join(dir, "pgbouncer.ini"), filepath.Join(dir, "users")
	for file, text := range map[string]string{
		users: fmt.Sprintf("%q \"\"\n", cfg.User),
		config: fmt.Sprintf("[databases]\n* = host=%s port=%d\n[pgbouncer]\nlisten_addr=%s\nlisten_port=%s\nunix_socket_dir=\n"+
			"auth_type=trust\nauth_file=%s\npool_mode=transaction\ndefault_pool_size=4\nmax_client_conn=200\nlogfile=%s\n",
			cfg.Host, cfg.Port, host, port, users, filepath.Join(dir, "log")),
	} {
		check.Must(t, os.WriteFile(file, []byte(text), 0o644))
	}
	check.Must(t, os.Chmod(dir, 0o777))
	cmd := exec.CommandContext(t.Context(), "/usr/sbin/pgbouncer", "-q", config)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: asPostgres(t)}
	cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatalf("pgbouncer (apt-get install pgbouncer): %v", err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	apptest.Eventually(t, "PgBouncer listens", func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
	return (&url.URL{
		Scheme: "postgres", User: url.User(cfg.User), Host: address, Path: "/" + cfg.Database, RawQuery: "sslmode=disable",
	}).String()
}

// asPostgres returns the user for programs that refuse to run as root. It returns nil if the tests do not run as root.
func asPostgres(t *testing.T) *syscall.Credential {
	t.Helper()
	if os.Getuid() != 0 {
		return nil
	}
	account, err := user.Lookup("postgres")
	check.Must(t, err)
	uid, err := strconv.ParseUint(account.Uid, 10, 32)
	check.Must(t, err)
	gid, err := strconv.ParseUint(account.Gid, 10, 32)
	check.Must(t, err)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
}
