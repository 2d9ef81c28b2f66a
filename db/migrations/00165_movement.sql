-- +goose Up

-- What moved in the books of a business, as forecourt reconcile counts it: a row for each payment and each refund. The books cannot hold a
-- capture in another currency than requested; it counts as moved when it was given back. gst_minor is the tax in an amount, by the
-- receipt of its payment: an eleventh, to the nearest cent, as in receipt.gst.
CREATE VIEW movement AS
SELECT 'capture'::text AS kind, a.id, a.transaction_id, a.client_code, a.test_mode, a.currency,
       coalesce(a.captured_minor, a.amount_minor) AS amount_minor, a.method, a.settled_at AS moved_at,
       CASE WHEN a.currency = 'AUD' AND (SELECT c.abn <> '' AND c.gst_included FROM receipt c WHERE c.transaction_id = a.transaction_id)
            THEN (2 * coalesce(a.captured_minor, a.amount_minor) + 11) / 22 ELSE 0 END AS gst_minor
FROM attempt a WHERE a.state = 'approved'
UNION ALL
SELECT 'capture'::text, a.id, r.transaction_id, r.client_code, r.test_mode, r.currency, r.amount_minor, a.method, r.settled_at, 0::bigint
FROM refund r JOIN attempt a ON a.id = r.attempt_id AND a.state <> 'approved' WHERE r.state = 'done' AND r.attempt_id IS NOT NULL
UNION ALL
SELECT 'refund'::text, r.id, r.transaction_id, r.client_code, r.test_mode, r.currency, r.amount_minor,
       coalesce((SELECT a.method FROM attempt a WHERE a.id = coalesce(r.attempt_id, (SELECT t.approved_attempt FROM transaction t WHERE t.id = r.transaction_id))), 'card'),
       r.settled_at,
       CASE WHEN r.currency = 'AUD' AND r.attempt_id IS NULL
                 AND (SELECT c.abn <> '' AND c.gst_included FROM receipt c WHERE c.transaction_id = r.transaction_id)
            THEN (2 * r.amount_minor + 11) / 22 ELSE 0 END
FROM refund r WHERE r.state = 'done';

-- The end of a business's day: what moved since the previous closing. The numbers have no gaps. totals is what was counted, by currency
-- and method; signature signs shop.Closing.Text. Rows are added, never changed.
CREATE TABLE closing (
    client_code text NOT NULL REFERENCES client (code),
    test_mode   boolean NOT NULL,
    no          integer NOT NULL CHECK (no > 0),
    day         date NOT NULL, -- the day that it ends, by the business's clock
    since       timestamptz NOT NULL,
    until_at    timestamptz NOT NULL CHECK (until_at > since),
    time_zone   text NOT NULL,
    business    text NOT NULL, -- name and ABN at that time
    abn         text NOT NULL,
    totals      jsonb NOT NULL,
    signature   bytea NOT NULL,
    closed_by   text NOT NULL,
    PRIMARY KEY (client_code, test_mode, no),
    UNIQUE (client_code, test_mode, day)
);

-- What moved within 24 hours before a closing and is in that closing. Something that moved then and was recorded later has no row, and
-- belongs to the next closing.
CREATE TABLE closing_entry (
    kind        text NOT NULL CHECK (kind IN ('capture', 'refund')),
    id          uuid NOT NULL,
    client_code text NOT NULL,
    test_mode   boolean NOT NULL,
    no          integer NOT NULL,
    PRIMARY KEY (kind, id),
    FOREIGN KEY (client_code, test_mode, no) REFERENCES closing DEFERRABLE INITIALLY DEFERRED
);

-- A table of a business's books that is too long to send at once. after_at and after_id say where the next part begins.
CREATE TABLE export (
    id           uuid PRIMARY KEY,
    client_code  text NOT NULL REFERENCES client (code) ON DELETE CASCADE,
    account_id   uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    requested_by text NOT NULL,
    kind         text NOT NULL CHECK (kind IN ('payments', 'lines', 'refunds', 'payouts')),
    test_mode    boolean NOT NULL,
    since        timestamptz NOT NULL,
    before       timestamptz NOT NULL,
    time_zone    text NOT NULL,
    after_at     timestamptz NOT NULL,
    after_id     text NOT NULL DEFAULT '',
    parts        integer NOT NULL DEFAULT 0,
    rows_done    bigint NOT NULL DEFAULT 0,
    rows_total   bigint, -- null: not counted yet
    bytes        bigint NOT NULL DEFAULT 0,
    created_at   timestamptz NOT NULL DEFAULT now(),
    done_at      timestamptz
);

CREATE INDEX export_client ON export (client_code, created_at);
CREATE INDEX export_age ON export (created_at);

CREATE TABLE export_part (
    export_id uuid NOT NULL REFERENCES export (id) ON DELETE CASCADE,
    part_no   integer NOT NULL,
    content   bytea NOT NULL,
    PRIMARY KEY (export_id, part_no)
);

-- +goose Down
DROP TABLE export_part, export, closing_entry, closing;
DROP VIEW movement;
