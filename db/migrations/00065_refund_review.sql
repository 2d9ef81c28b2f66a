-- +goose Up

-- Staff decide refunds as they decide payments: a decision that the gateway does not confirm waits for a second person. attempt_id
-- now holds the id of an attempt or of a refund; the program of the version before keeps using the name.
ALTER TABLE proposal DROP CONSTRAINT proposal_attempt_id_fkey,
    DROP CONSTRAINT proposal_decision_check,
    ADD CONSTRAINT proposal_decision_check CHECK (decision IN ('approved', 'given_back', 'not_charged', 'done', 'declined')),
    -- The id that the gateway gave to a capture, if a person had to enter it.
    ADD COLUMN transactionid text NOT NULL DEFAULT '',
    -- Whether the gateway said, when it was proposed, that it had moved the money.
    ADD COLUMN moved boolean NOT NULL DEFAULT false;

-- Whether a person may decide a refund: it waits for one, its gateway is not configured, it has had no answer for 5 minutes, or the
-- gateway has had it for a day.
-- +goose StatementBegin
CREATE FUNCTION refund_waits(state text, created_at timestamptz, gateway text, gateways text[]) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT state = 'manual' OR state IN ('open', 'pending') AND (
        coalesce(gateway <> ALL(gateways), false)
        OR created_at < now() - CASE state WHEN 'pending' THEN interval '1 day' ELSE interval '5 minutes' END)
$$;
-- +goose StatementEnd

CREATE INDEX refund_not_done ON refund (state, created_at) WHERE state <> 'done';

-- +goose Down
DROP INDEX refund_not_done;
DROP FUNCTION refund_waits;
DELETE FROM proposal WHERE decision IN ('done', 'declined');
ALTER TABLE proposal DROP COLUMN moved,
    DROP COLUMN transactionid,
    DROP CONSTRAINT proposal_decision_check,
    ADD CONSTRAINT proposal_decision_check CHECK (decision IN ('approved', 'given_back', 'not_charged')),
    ADD CONSTRAINT proposal_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES attempt (id) ON DELETE CASCADE;
