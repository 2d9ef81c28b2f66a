-- +goose Up

-- What was given back or is about to be: reserved when a refund is claimed, released when it is declined.
ALTER TABLE transaction ADD COLUMN refunded_minor bigint NOT NULL DEFAULT 0
    CONSTRAINT transaction_refund_within_amount CHECK (refunded_minor BETWEEN 0 AND amount_minor),
    ADD CONSTRAINT transaction_refund_of_paid CHECK (refunded_minor = 0 OR approved_attempt IS NOT NULL);

-- One refund. Its id is the gateway's reference; asking again with it returns the first answer.
CREATE TABLE refund (
    id             uuid PRIMARY KEY,
    transaction_id text NOT NULL,
    client_code    text NOT NULL,
    amount_minor   bigint NOT NULL CHECK (amount_minor > 0),
    currency       text NOT NULL,
    test_mode      boolean NOT NULL,
    state          text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'declined')),
    refundid       text CHECK (refundid <> ''), -- the gateway's
    requested_by   text NOT NULL,
    lease_until    timestamptz NOT NULL,
    checks         integer NOT NULL DEFAULT 0,
    created_at     timestamptz NOT NULL DEFAULT now(),
    settled_at     timestamptz,
    FOREIGN KEY (transaction_id, client_code) REFERENCES transaction (id, client_code),
    CHECK ((settled_at IS NOT NULL) = (state <> 'open')),
    CHECK ((refundid IS NOT NULL) = (state = 'done'))
);

CREATE UNIQUE INDEX refund_one_open ON refund (transaction_id) WHERE state = 'open';
CREATE UNIQUE INDEX refund_gateway_id ON refund (refundid);
CREATE INDEX refund_transaction ON refund (transaction_id);
CREATE INDEX refund_sweep ON refund (lease_until) WHERE state = 'open';

-- Who decided what. Rows are added, never changed.
CREATE TABLE audit (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT now(),
    actor      text NOT NULL,
    action     text NOT NULL,
    subject    text NOT NULL,
    reason     text NOT NULL DEFAULT ''
);

CREATE INDEX audit_subject ON audit (subject);

-- +goose StatementBegin
CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit rows are never changed';
END $$;
-- +goose StatementEnd

CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();

-- +goose Down
DROP TABLE audit, refund;
DROP FUNCTION audit_is_append_only;
ALTER TABLE transaction DROP COLUMN refunded_minor;
