-- +goose Up

-- A payment whose payer asks the bank for the money back. Its id is the charge's: one charge is disputed once.
CREATE TABLE dispute (
    attempt_id     uuid PRIMARY KEY,
    transaction_id text NOT NULL,
    client_code    text NOT NULL REFERENCES client (code),
    amount_minor   bigint NOT NULL CHECK (amount_minor > 0),
    currency       text NOT NULL,
    test_mode      boolean NOT NULL,
    state          text NOT NULL CHECK (state IN ('opened', 'won', 'lost')),
    due_at         timestamptz,
    opened_at      timestamptz NOT NULL,
    ended_at       timestamptz,
    FOREIGN KEY (attempt_id, transaction_id) REFERENCES attempt (id, transaction_id),
    CHECK ((ended_at IS NOT NULL) = (state <> 'opened'))
);

CREATE INDEX dispute_transaction ON dispute (transaction_id);
CREATE INDEX dispute_newest ON dispute (opened_at);
CREATE INDEX dispute_open ON dispute (due_at) WHERE state = 'opened';
CREATE INDEX dispute_lost ON dispute (ended_at) WHERE state = 'lost';

-- Money that a business was paid by the gateway: charges less refunds and disputes (gross), less fees (net).
CREATE TABLE payout (
    id          text PRIMARY KEY CHECK (id <> ''),
    client_code text NOT NULL, -- as the gateway calls the business
    currency    text NOT NULL,
    test_mode   boolean NOT NULL,
    gross_minor bigint NOT NULL,
    fees_minor  bigint NOT NULL,
    net_minor   bigint NOT NULL,
    held_minor  bigint NOT NULL DEFAULT 0, -- what its lines come to by our books
    paid_at     timestamptz NOT NULL,
    imported_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX payout_newest ON payout (paid_at);
CREATE INDEX payout_doubt ON payout (paid_at) WHERE held_minor <> gross_minor OR net_minor <> gross_minor - fees_minor;

-- What a payout holds. Kind is what was found under the reference: a charge, a refund, the dispute about a charge, the money of a dispute that was
-- won, nothing, or something that another line holds already.
CREATE TABLE payout_line (
    payout_id text NOT NULL REFERENCES payout (id) ON DELETE CASCADE,
    line_no   integer NOT NULL,
    reference text NOT NULL,
    kind      text NOT NULL CHECK (kind IN ('capture', 'refund', 'dispute', 'returned', 'unknown', 'again')),
    PRIMARY KEY (payout_id, line_no)
);

-- Each movement is settled in one payout.
CREATE UNIQUE INDEX payout_line_once ON payout_line (reference, kind) WHERE kind NOT IN ('unknown', 'again');
CREATE INDEX payout_line_reference ON payout_line (reference);
CREATE INDEX payout_line_doubt ON payout_line (payout_id) WHERE kind IN ('unknown', 'again');

-- What no payout held SETTLEMENT_DAYS after it moved. A row goes once a payout holds it.
CREATE TABLE unsettled (
    reference      text NOT NULL,
    kind           text NOT NULL CHECK (kind IN ('capture', 'refund', 'dispute')),
    transaction_id text NOT NULL,
    client_code    text NOT NULL,
    amount_minor   bigint NOT NULL,
    currency       text NOT NULL,
    test_mode      boolean NOT NULL,
    moved_at       timestamptz NOT NULL,
    PRIMARY KEY (reference, kind)
);

-- How far the gateway's ledger was read for each of its kinds.
CREATE TABLE ledger_read (
    kind     text PRIMARY KEY,
    until_at timestamptz NOT NULL
);

-- +goose Down
DROP TABLE ledger_read, unsettled, payout_line, payout, dispute;
