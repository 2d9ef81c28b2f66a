package db

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// MakeRole makes a role that may sign in and do nothing else, unless the role exists. The pool's role must be allowed to make roles.
func MakeRole(ctx context.Context, pool *pgxpool.Pool, role string) error {
	name := pgx.Identifier{role}.Sanitize()
	_, err := pool.Exec(ctx, `DO $do$ BEGIN
		IF to_regrole('`+name+`') IS NULL THEN
			CREATE ROLE `+name+` LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
		END IF;
	EXCEPTION WHEN duplicate_object OR unique_violation THEN -- another process was faster
	END $do$`)
	if err != nil {
		return fmt.Errorf("database role %s: %w", role, err)
	}
	return nil
}

// Admit lets role do what requests and commands do in a migrated database: read and write rows. The role cannot change the schema, make
// temporary tables, change the record of migrations, or change the audit log except by an erasure. Admit takes CREATE and TEMPORARY from
// everybody. The pool's role must own the schema. If no right is missing, it costs one query.
func Admit(ctx context.Context, pool *pgxpool.Pool, role string) error {
	if missing, err := missingRights(ctx, pool, role); err != nil || len(missing) == 0 {
		return err
	}
	return alone(ctx, pool, func(tx pgx.Tx) error { // two at once would fail on the same row of the catalogue
		missing, err := missingRights(ctx, tx, role)
		if err != nil {
			return err
		}
		for _, statement := range missing {
			if _, err := tx.Exec(ctx, statement); err != nil {
				return fmt.Errorf("database role %s: %w", role, err)
			}
		}
		return nil
	})
}

// rights selects the statements that role ($1) still needs. The months of the audit log are used through the audit log, apart from
// audit_rest. River rebuilds the indexes of its jobs, which takes MAINTAIN; before PostgreSQL 17 only the owner could do that.
const rights = `
WITH tables AS (
	SELECT c.oid, c.oid::regclass AS name, c.relkind, CASE
		WHEN c.relname IN ('goose_db_version', 'river_migration') THEN 'SELECT'
		WHEN c.relname IN ('audit', 'audit_rest') THEN 'SELECT, INSERT'
		WHEN c.relname = 'river_job' AND current_setting('server_version_num')::int >= 170000 THEN 'SELECT, INSERT, UPDATE, DELETE, MAINTAIN'
		ELSE 'SELECT, INSERT, UPDATE, DELETE' END AS wanted
	FROM pg_catalog.pg_class c
	WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v', 'S')
		AND (NOT c.relispartition OR c.relname = 'audit_rest')
)
SELECT format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC', current_schema())
WHERE has_schema_privilege($1::name, current_schema(), 'CREATE')
UNION ALL
SELECT format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database())
WHERE has_database_privilege($1::name, current_database(), 'TEMPORARY')
UNION ALL
SELECT format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), $1::name)
WHERE NOT has_schema_privilege($1::name, current_schema(), 'USAGE')
UNION ALL
SELECT format('GRANT %s ON %s TO %I', wanted, name, $1::name) FROM tables
WHERE relkind <> 'S' AND EXISTS (SELECT FROM regexp_split_to_table(wanted, ', ') w WHERE NOT has_table_privilege($1::name, oid, w))
UNION ALL
SELECT format('GRANT USAGE ON SEQUENCE %s TO %I', name, $1::name) FROM tables
WHERE CASE WHEN relkind = 'S' THEN NOT has_sequence_privilege($1::name, oid, 'USAGE') END
UNION ALL
SELECT format('GRANT EXECUTE ON FUNCTION %s TO %I', p.oid::regprocedure, $1::name) FROM pg_catalog.pg_proc p
WHERE p.pronamespace = current_schema()::regnamespace
	AND p.proname IN ('audit_make_month', 'audit_drop_month', 'audit_erase', 'audit_erase_own')
	AND NOT has_function_privilege($1::name, p.oid, 'EXECUTE')`

func missingRights(ctx context.Context, q interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}, role string,
) ([]string, error) {
	rows, err := q.Query(ctx, rights, role)
	if err == nil {
		var missing []string
		if missing, err = pgx.CollectRows(rows, pgx.RowTo[string]); err == nil {
			return missing, nil
		}
	}
	return nil, fmt.Errorf("database role %s: %w", role, err)
}
