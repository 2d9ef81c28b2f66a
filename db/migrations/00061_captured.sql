-- +goose Up

-- What the gateway named beside its outcome, whatever that was, for a person who has to decide; and what was captured where a person
-- accepted another amount than was asked for. Null is none, and the amount that was asked for.
ALTER TABLE attempt ADD COLUMN told_minor bigint, ADD COLUMN told_currency text NOT NULL DEFAULT '',
    ADD COLUMN captured_minor bigint CHECK (captured_minor > 0);
ALTER TABLE transaction ADD COLUMN captured_minor bigint CHECK (captured_minor > 0),
    DROP CONSTRAINT transaction_refund_within_amount,
    ADD CONSTRAINT transaction_refund_within_capture CHECK (refunded_minor BETWEEN 0 AND coalesce(captured_minor, amount_minor));

-- +goose Down
ALTER TABLE transaction DROP CONSTRAINT transaction_refund_within_capture,
    ADD CONSTRAINT transaction_refund_within_amount CHECK (refunded_minor BETWEEN 0 AND amount_minor) NOT VALID,
    DROP COLUMN captured_minor;
ALTER TABLE attempt DROP COLUMN captured_minor, DROP COLUMN told_currency, DROP COLUMN told_minor;
