-- +goose Up

-- What a business is owed (the view owed, in 00193) took half a second of a busy one: it looked for each payment of the last days among all
-- lines of payouts. Now what no payout holds is listed (awaited), an hour after it moved, and only what moved since is looked up.

-- The captures and refunds that no payout holds and that are not late yet; unsettled has those that are. A line of a payout removes its row.
CREATE TABLE awaited (
    reference      text NOT NULL,
    kind           text NOT NULL CHECK (kind IN ('capture', 'refund')),
    transaction_id text NOT NULL,
    client_code    text NOT NULL,
    amount_minor   bigint NOT NULL,
    currency       text NOT NULL,
    test_mode      boolean NOT NULL,
    moved_at       timestamptz NOT NULL,
    PRIMARY KEY (reference, kind)
);

CREATE INDEX awaited_desk ON awaited (client_code, test_mode, moved_at);

-- Of the row 'settled' alone: unsettled has what moved before until_at, and awaited what moved from then until listed_until. The previous
-- version moves until_at only; what awaited has from before is then of no account.
ALTER TABLE ledger_read ADD COLUMN listed_until timestamptz;

-- +goose Down
ALTER TABLE ledger_read DROP COLUMN listed_until;
DROP TABLE awaited;
