-- +goose Up

-- The audit only grows, so each month has a table of its own that can go as a whole. What was written so far becomes the
-- table of all months that have none; audit_make_month takes it from there, a month at a time, once the program serves. A
-- program of the version before goes on reading and writing by the same name.
ALTER TABLE audit RENAME TO audit_rest;
CREATE SEQUENCE audit_number;
SELECT setval('audit_number', (SELECT coalesce(max(id), 0) + 1 FROM audit_rest), false);
ALTER TABLE audit_rest ALTER COLUMN id DROP IDENTITY;
ALTER TABLE audit_rest DROP CONSTRAINT audit_pkey;
ALTER INDEX audit_subject RENAME TO audit_rest_subject;

-- Who decided what. Rows are added, never changed.
CREATE TABLE audit (
    id         bigint NOT NULL DEFAULT nextval('audit_number'),
    created_at timestamptz NOT NULL DEFAULT now(),
    actor      text NOT NULL,
    action     text NOT NULL,
    subject    text NOT NULL,
    reason     text NOT NULL DEFAULT '',
    PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);

CREATE INDEX audit_subject ON audit (subject);
ALTER TABLE audit ATTACH PARTITION audit_rest DEFAULT;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();

-- Makes the table of the month (UTC) that a moment is in, with the lines of that month that were written before it was there.
-- Others who write meanwhile wait: a line that were on its way to audit_rest already would be refused there. It gives up after
-- 2 s when somebody else does not end, so that nobody waits for long.
-- +goose StatementBegin
CREATE FUNCTION audit_make_month(moment timestamptz) RETURNS void LANGUAGE plpgsql SET lock_timeout = '2s' SET timezone = 'UTC' AS $$
DECLARE
    part  text := to_char(moment, '"audit_"YYYY_MM');
    since timestamptz := date_trunc('month', moment);
    till  timestamptz := since + interval '1 month';
BEGIN
    LOCK TABLE ONLY audit IN SHARE ROW EXCLUSIVE MODE;
    LOCK TABLE audit_rest IN ACCESS EXCLUSIVE MODE;
    IF to_regclass(part) IS NOT NULL THEN
        RETURN;
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE audit INCLUDING ALL)', part);
    ALTER TABLE audit_rest DISABLE TRIGGER audit_append_only;
    EXECUTE format('WITH moved AS (DELETE FROM audit_rest WHERE created_at >= $1 AND created_at < $2 RETURNING *)
        INSERT INTO %I SELECT * FROM moved', part) USING since, till;
    ALTER TABLE audit_rest ENABLE TRIGGER audit_append_only;
    EXECUTE format('CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I
        FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only()', part);
    EXECUTE format('ALTER TABLE audit ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part, since, till);
END $$;
-- +goose StatementEnd

-- Drops the table of the month that a moment is in and tells how many lines it had, 0 when there is none. A year is kept whatever anybody asks for.
-- +goose StatementBegin
CREATE FUNCTION audit_drop_month(moment timestamptz) RETURNS bigint LANGUAGE plpgsql SET lock_timeout = '2s' SET timezone = 'UTC' AS $$
DECLARE
    part  text := to_char(moment, '"audit_"YYYY_MM');
    lines bigint;
BEGIN
    IF date_trunc('month', moment) >= date_trunc('month', now()) - interval '12 months' THEN
        RAISE EXCEPTION 'the audit of the last twelve months is kept';
    END IF;
    IF to_regclass(part) IS NULL THEN
        RETURN 0;
    END IF;
    EXECUTE format('SELECT count(*) FROM %I', part) INTO lines;
    EXECUTE format('DROP TABLE %I', part);
    RETURN lines;
END $$;
-- +goose StatementEnd

-- When staff decided about a person. Null for what a program of the version before decides; that counts as just now.
ALTER TABLE compliance_person ADD COLUMN decided_at timestamptz;
UPDATE compliance_person p SET decided_at = (SELECT max(a.created_at) FROM audit a
    WHERE a.subject = 'compliance ' || p.compliance_id || '/' || p.number AND a.action IN ('identity returned', 'identity accepted'))
WHERE decided_by <> '';

-- +goose Down
ALTER TABLE compliance_person DROP COLUMN decided_at;
DROP FUNCTION audit_drop_month, audit_make_month;
ALTER TABLE audit RENAME TO audit_parts;
ALTER TABLE audit_parts DROP CONSTRAINT audit_pkey;
DROP INDEX audit_subject;
CREATE TABLE audit (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now(),
    actor      text NOT NULL,
    action     text NOT NULL,
    subject    text NOT NULL,
    reason     text NOT NULL DEFAULT ''
);
INSERT INTO audit OVERRIDING SYSTEM VALUE SELECT * FROM audit_parts;
SELECT setval(pg_get_serial_sequence('audit', 'id'), (SELECT coalesce(max(id), 0) + 1 FROM audit), false);
DROP TABLE audit_parts;
DROP SEQUENCE audit_number;
CREATE INDEX audit_subject ON audit (subject);
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();
