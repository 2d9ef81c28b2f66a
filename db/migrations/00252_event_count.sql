-- +goose Up
-- Failures of an hour are one line of an account's log.
ALTER TABLE account_event ADD COLUMN count integer NOT NULL DEFAULT 1;

-- +goose Down
ALTER TABLE account_event DROP COLUMN count;
