-- +goose NO TRANSACTION
-- +goose Up

-- What the version before no longer reads. Each statement waits for its own tables alone, as in 00211.
DROP TABLE IF EXISTS data_copy_part;
DROP TABLE IF EXISTS data_copy;
DROP VIEW IF EXISTS refund_ceiling;
ALTER TABLE menu_version DROP COLUMN IF EXISTS due_at;

-- +goose Down
ALTER TABLE menu_version ADD COLUMN IF NOT EXISTS due_at timestamptz, ADD CHECK (published_at IS NOT NULL OR due_at IS NOT NULL);
CREATE OR REPLACE VIEW refund_ceiling AS SELECT client_code, role, most_minor FROM refund_limit;
CREATE TABLE IF NOT EXISTS data_copy (
    id         uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    asked_at   timestamptz NOT NULL DEFAULT now(),
    done       integer NOT NULL DEFAULT 0,
    steps      integer NOT NULL DEFAULT 0,
    try        integer NOT NULL DEFAULT 0,
    parts      integer NOT NULL DEFAULT 0,
    bytes      bigint NOT NULL DEFAULT 0,
    ready_at   timestamptz,
    expires_at timestamptz NOT NULL DEFAULT now() + interval '7 days'
);
CREATE UNIQUE INDEX IF NOT EXISTS data_copy_one ON data_copy (account_id) WHERE ready_at IS NULL;
CREATE INDEX IF NOT EXISTS data_copy_account ON data_copy (account_id);
CREATE INDEX IF NOT EXISTS data_copy_age ON data_copy (expires_at);
CREATE TABLE IF NOT EXISTS data_copy_part (
    copy_id uuid NOT NULL REFERENCES data_copy (id) ON DELETE CASCADE,
    try     integer NOT NULL,
    n       integer NOT NULL,
    sealed  bytea NOT NULL,
    PRIMARY KEY (copy_id, try, n)
);
