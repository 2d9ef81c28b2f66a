-- +goose Up
-- Challenges are not stored any more when they are asked. A row is one that was answered well, which works once.
ALTER TABLE passkey_challenge DROP COLUMN purpose, DROP COLUMN holder, DROP COLUMN state;

-- +goose Down
DELETE FROM passkey_challenge;
ALTER TABLE passkey_challenge
    ADD COLUMN purpose text NOT NULL CHECK (purpose IN ('sign in', 'add', 'prove')),
    ADD COLUMN holder  bytea NOT NULL,
    ADD COLUMN state   bytea NOT NULL;
