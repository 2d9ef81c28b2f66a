-- name: AuditMonthMissing :many
-- Months (UTC) that should have their own table: those with lines, this one and the next three.
SELECT month::timestamptz AS month FROM (
    SELECT date_trunc('month', created_at, 'UTC') AS month FROM audit_rest
    UNION
    SELECT (date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => ahead)) AT TIME ZONE 'UTC'
    FROM generate_series(0, 3) ahead
) wanted
WHERE to_regclass(to_char(month AT TIME ZONE 'UTC', '"audit_"YYYY_MM')) IS NULL
ORDER BY 1;

-- name: AuditMonthMake :exec
SELECT audit_make_month(@month);

-- name: AuditMonthOld :many
-- Months with their own table that ended at least that many months ago.
SELECT (to_date(right(c.relname, 7), 'YYYY_MM')::timestamp AT TIME ZONE 'UTC')::timestamptz AS month
FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = 'audit'::regclass AND c.relname ~ '^audit_[0-9]{4}_[0-9]{2}$'
  AND to_date(right(c.relname, 7), 'YYYY_MM') < date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => @months::int)
ORDER BY c.relname;

-- name: AuditMonthDrop :one
SELECT audit_drop_month(@month)::bigint AS lines;

-- name: AuditOldCount :one
SELECT count(*) FROM audit
WHERE created_at < (date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => @months::int)) AT TIME ZONE 'UTC';
