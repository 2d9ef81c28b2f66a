-- +goose Up

-- Each time this database was put back from a backup. Until the gateway's ledger since then is imported, nothing is charged:
-- what was new in the backup may be paid.
CREATE TABLE restore (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    backup_at   timestamptz NOT NULL,
    restored_at timestamptz NOT NULL DEFAULT now(),
    reopened_at timestamptz
);

CREATE INDEX restore_closed ON restore (id) WHERE reopened_at IS NULL;

-- Money that the gateway's ledger has and that belongs to nothing here. Every row is for a person.
CREATE TABLE unmatched_movement (
    kind          text NOT NULL,
    reference     text NOT NULL,
    trx_id        text NOT NULL,
    transactionid text NOT NULL,
    amount_minor  bigint NOT NULL,
    currency      text NOT NULL,
    moved_at      timestamptz NOT NULL,
    problem       text NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (kind, reference)
);

-- +goose Down
DROP TABLE unmatched_movement, restore;
