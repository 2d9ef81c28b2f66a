-- +goose Up

-- The bank accounts that shops are paid into, sealed: the latest that staff passed on to the acquirer, and the one that an owner asked for since.
CREATE TABLE payout_account (
    id         uuid PRIMARY KEY, -- another one when an owner asks again
    shop_code  text NOT NULL REFERENCES shop ON DELETE CASCADE,
    sealed     bytea NOT NULL,
    asked_by   text NOT NULL,
    asked_at   timestamptz NOT NULL DEFAULT now(),
    reason     text NOT NULL DEFAULT '', -- why staff ask for another one
    decided_by text NOT NULL DEFAULT '',
    passed_at  timestamptz -- null: the acquirer does not have it
);
CREATE UNIQUE INDEX payout_account_asked ON payout_account (shop_code) WHERE passed_at IS NULL;
CREATE INDEX payout_account_passed ON payout_account (shop_code, passed_at);
CREATE VIEW payout_account_state AS
    SELECT id, shop_code, asked_by, asked_at, passed_at,
        (CASE WHEN passed_at IS NOT NULL THEN 'passed' WHEN reason = '' THEN 'waiting' ELSE 'returned' END)::text AS state
    FROM payout_account;

-- +goose Down
DROP VIEW payout_account_state;
DROP TABLE payout_account;
