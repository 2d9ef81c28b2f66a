-- +goose Up

-- The last daily comparison with the gateway's ledger. Whichever process ran it, every process reports it, after a restart too. The row
-- counts from now on, so that a site that never compares is noticed.
CREATE TABLE ledger_comparison (
    only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    differences integer, -- null: none has run
    ran_at      timestamptz NOT NULL DEFAULT now()
);
INSERT INTO ledger_comparison DEFAULT VALUES;

-- +goose Down
DROP TABLE ledger_comparison;
