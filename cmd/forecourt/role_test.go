package main

import (
	"errors"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"

	"forecourt/db"
	"forecourt/internal/kit/check"
	"forecourt/internal/kit/dbtest"
	"forecourt/ops/embedded"
)

// TestRequestsCannotChangeTheSchema checks the role of a serving program's connections, then tries everything that this role must not do.
func TestRequestsCannotChangeTheSchema(t *testing.T) {
	t.Parallel()
	values := map[string]string{"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": demoFolder(t)}
	p := start(t, values, "serve")
	guest := newCustomer(t, p.ready())
	guest.order("panezski")
	guest.send(http.MethodGet, "/pos/panezski", "", "", "200")

	owner := connectInside(t, values["FORECOURT_DATA"], false)
	var others, app int
	err := owner.QueryRow(t.Context(), `SELECT count(*) FILTER (WHERE usename <> 'forecourt_app'),
		count(*) FILTER (WHERE usename = 'forecourt_app')
		FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`).Scan(&others, &app)
	if err != nil || others != 0 || app == 0 {
		t.Errorf("%d connections of other roles, %d of forecourt_app, %v", others, app, err)
	}
	var may string
	if err := owner.QueryRow(t.Context(), `SELECT concat_ws(' ', rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
		EXISTS (SELECT FROM pg_auth_members WHERE member = oid))
		FROM pg_roles WHERE rolname = 'forecourt_app'`).Scan(&may); err != nil || may != "f f f f f f" {
		t.Errorf("the role is %q, %v", may, err)
	}

	conn := connectInside(t, values["FORECOURT_DATA"], true)
	for _, statement := range []string{
		"CREATE TABLE mine (id int)", "CREATE TEMP TABLE mine (id int)",
		"CREATE SCHEMA mine", "CREATE DATABASE mine", "CREATE ROLE mine SUPERUSER",
		"CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'", "CREATE EXTENSION pg_stat_statements", "CREATE INDEX ON account (email)",
		"ALTER TABLE account ADD COLUMN mine int", "ALTER TABLE audit DISABLE TRIGGER audit_append_only", "ALTER ROLE forecourt_app SUPERUSER",
		"ALTER FUNCTION audit_make_month(timestamptz) RESET search_path",
		"ALTER SYSTEM SET fsync = off", "CREATE OR REPLACE VIEW mine AS SELECT 1",
		"DROP TABLE account", "DROP TABLE audit_rest", "DROP FUNCTION audit_is_append_only CASCADE", "TRUNCATE account CASCADE",
		"SET ROLE forecourt", "SET SESSION AUTHORIZATION forecourt", "SET session_replication_role = replica",
		"SELECT * FROM pg_authid", "SELECT * FROM pg_shadow", "SELECT pg_read_file('PG_VERSION')", "SELECT pg_ls_dir('.')",
		"COPY account TO '/tmp/mine'", "COPY account TO PROGRAM 'cat'", "COPY account FROM PROGRAM 'id'", "SELECT lo_import('/etc/passwd')",
		"SELECT pg_create_physical_replication_slot('mine')", "SELECT pg_reload_conf()",
		"UPDATE audit SET actor = 'mine'", "DELETE FROM audit", "DELETE FROM audit_rest",
		"DELETE FROM goose_db_version", "UPDATE river_migration SET version = 0",
	} {
		_, err := conn.Exec(t.Context(), statement)
		var refused *pgconn.PgError
		if !errors.As(err, &refused) || refused.Code != "42501" {
			t.Errorf("%s: %v, want permission denied (42501)", statement, err)
		}
	}

	// Besides reading and writing rows, the role has to add months to the audit log, rebuild the queue's indexes and send events.
	for _, statement := range []string{
		"SELECT audit_make_month(now() + interval '2 years')", "INSERT INTO audit (actor, action, subject) VALUES ('a', 'b', 'c')",
		"REINDEX INDEX CONCURRENTLY river_job_args_index", "LISTEN x", "NOTIFY x", "ANALYZE river_job",
	} {
		_, err := conn.Exec(t.Context(), statement)
		check.NoError(t, err, "%s", statement)
	}
	if _, err := conn.Exec(t.Context(), "SELECT audit_drop_month(now())"); err == nil ||
		!strings.Contains(err.Error(), "the last twelve months is kept") {
		t.Errorf("the audit log of this month was dropped: %v", err)
	}
	p.end()
}

// TestDataOfThePreviousReleaseGetsTheRole serves a data folder as the previous release left it: without the role, and with functions
// that run as their caller.
func TestDataOfThePreviousReleaseGetsTheRole(t *testing.T) {
	t.Parallel()
	values := map[string]string{"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": demoFolder(t)}
	p := start(t, values, "serve")
	p.ready()
	check.MustEqual(t, p.end(), 0, "stopped with: %s", p.stderr)
	server, err := embedded.Start(t.Context(), embedded.Options{Dir: values["FORECOURT_DATA"]})
	check.Must(t, err)
	owner, err := pgxpool.New(t.Context(), server.DSN(embedded.Database))
	check.Must(t, err)
	goBack(t, owner, 95)
	for _, statement := range []string{
		"DROP OWNED BY forecourt_app", "DROP ROLE forecourt_app",
		"GRANT CREATE ON SCHEMA public TO PUBLIC", "GRANT TEMPORARY ON DATABASE forecourt TO PUBLIC",
	} {
		_, err := owner.Exec(t.Context(), statement)
		check.Must(t, err, "%s", statement)
	}
	owner.Close()
	check.Must(t, server.Stop(t.Context()))

	p = start(t, values, "serve")
	newCustomer(t, p.ready()).order("panezski")
	conn := connectInside(t, values["FORECOURT_DATA"], true)
	for _, statement := range []string{"CREATE TABLE mine (id int)", "CREATE TEMP TABLE mine (id int)"} {
		_, err := conn.Exec(t.Context(), statement)
		check.Error(t, err, "%s works", statement)
	}
	_, err = conn.Exec(t.Context(), "SELECT audit_make_month(now() + interval '2 years')")
	check.NoError(t, err)
	p.end()
}

// TestAnExternalDatabaseIsServedWithoutItsOwner follows docs/operations.md: the owner migrates for a role, and the program serves as this
// role.
func TestAnExternalDatabaseIsServedWithoutItsOwner(t *testing.T) {
	t.Parallel()
	address := dbtest.URL(t)
	owner, err := pgxpool.New(t.Context(), address)
	check.Must(t, err)
	defer owner.Close()
	check.Must(t, db.MakeRole(t.Context(), owner, "till"))
	goBack(t, owner, 95)
	asTill, err := url.Parse(address)
	check.Must(t, err)
	asTill.User = url.User("till")
	values := map[string]string{
		"FORECOURT_ADDR": "127.0.0.1:0", "FORECOURT_DATA": folder(t), "FORECOURT_SECRET": strings.Repeat("s", 32), "FORECOURT_DEMO": "on",
	}
	migrate := func(want int, address string, args ...string) string {
		t.Helper()
		return shell{t, with(values, "DATABASE_URL", address)}.does(want, append([]string{"migrate"}, args...)...)
	}
	migrate(1, asTill.String())
	migrate(2, "", "--for", "till")
	if said := migrate(1, address, "--for", "nobody_there"); !strings.Contains(said, "nobody_there") || !strings.Contains(said, ".sql  ") {
		t.Errorf("an upgrade for a missing role: %s", said)
	}
	migrate(0, address, "--for", "till")
	migrate(0, address, "--for", "till")
	migrate(0, asTill.String())

	values["DATABASE_URL"] = asTill.String()
	p := start(t, values, "serve")
	newCustomer(t, p.ready()).order("panezski")
	shell{t, values}.does(0, "retention", "--audit", "12")
	if code := p.end(); code != 0 || strings.Contains(p.stderr.String(), "42501") || strings.Contains(p.stderr.String(), "permission denied") {
		t.Errorf("stopped with %d: %s", code, p.stderr)
	}
}

// goBack takes the schema back to an earlier version.
func goBack(t *testing.T, pool *pgxpool.Pool, version int64) {
	t.Helper()
	conn := stdlib.OpenDBFromPool(pool)
	defer conn.Close()
	provider, err := goose.NewProvider(goose.DialectPostgres, conn, os.DirFS("../../db/migrations"))
	if err == nil {
		_, err = provider.DownTo(t.Context(), version)
	}
	check.Must(t, err)
}
