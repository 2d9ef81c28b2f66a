-- +goose Up

-- When the owner of an account proved to read the mail of its address. Null: not yet. Accounts made before this column count as
-- verified.
ALTER TABLE account ADD COLUMN verified_at timestamptz;
UPDATE account SET verified_at = created_at;

-- A mailed link that verifies an address. It may be opened again.
CREATE TABLE verification (
    token_hash bytea PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
);

CREATE INDEX verification_account ON verification (account_id);

-- +goose Down
DROP TABLE verification;
ALTER TABLE account DROP COLUMN verified_at;
