-- +goose Up

-- A refund that the gateway has and has not decided is pending; one that only a person can judge is manual. Neither has an end yet.
ALTER TABLE refund
    DROP CONSTRAINT refund_state_check,
    ADD CONSTRAINT refund_state_check CHECK (state IN ('open', 'pending', 'done', 'declined', 'manual')),
    DROP CONSTRAINT refund_check,
    ADD CONSTRAINT refund_settled_has_time CHECK ((settled_at IS NOT NULL) = (state IN ('done', 'declined'))),
    -- What a person decided may have no id of the gateway's.
    DROP CONSTRAINT refund_check1,
    ADD COLUMN error_msg text NOT NULL DEFAULT '';

CREATE UNIQUE INDEX refund_one_undecided ON refund (transaction_id) WHERE state IN ('open', 'pending', 'manual');
DROP INDEX refund_one_open;
CREATE INDEX refund_due ON refund (lease_until) WHERE state IN ('open', 'pending');
DROP INDEX refund_sweep;
-- A gateway may give two refunds of one payment the same id; both were made.
DROP INDEX refund_gateway_id;

-- +goose Down
UPDATE refund SET state = 'open' WHERE state IN ('pending', 'manual');
UPDATE refund SET refundid = id::text WHERE state = 'done' AND refundid IS NULL;
CREATE UNIQUE INDEX refund_gateway_id ON refund (refundid);
CREATE INDEX refund_sweep ON refund (lease_until) WHERE state = 'open';
DROP INDEX refund_due;
CREATE UNIQUE INDEX refund_one_open ON refund (transaction_id) WHERE state = 'open';
DROP INDEX refund_one_undecided;
UPDATE refund SET refundid = NULL WHERE state <> 'done';
ALTER TABLE refund
    DROP COLUMN error_msg,
    ADD CONSTRAINT refund_check1 CHECK ((refundid IS NOT NULL) = (state = 'done')),
    DROP CONSTRAINT refund_settled_has_time,
    ADD CONSTRAINT refund_check CHECK ((settled_at IS NOT NULL) = (state <> 'open')),
    DROP CONSTRAINT refund_state_check,
    ADD CONSTRAINT refund_state_check CHECK (state IN ('open', 'done', 'declined'));
