-- +goose Up

-- What somebody asks an owner to refund, once at a time for each payment. It moves no money: an owner makes the refund, or says no.
CREATE TABLE refund_ask (
    transaction_id text PRIMARY KEY REFERENCES transaction (id) ON DELETE CASCADE,
    shop_code      text NOT NULL,
    asked_by       text NOT NULL,
    amount_minor   bigint NOT NULL CHECK (amount_minor > 0),
    reason         text NOT NULL,
    form           text NOT NULL, -- how much and which lines, as the refund's form has them
    asked_at       timestamptz NOT NULL DEFAULT now(),
    refused_by     text NOT NULL DEFAULT '' -- '' as long as nobody said no
);

-- A refund by an owner, or of that much, is the answer. It runs as its owner, like the functions that tell (00161).
-- +goose StatementBegin
CREATE FUNCTION refund_answers() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    DELETE FROM refund_ask a WHERE a.transaction_id = NEW.transaction_id AND (NEW.amount_minor >= a.amount_minor
        OR EXISTS (SELECT FROM shop_member m JOIN account c ON c.id = m.account_id
            WHERE m.shop_code = a.shop_code AND m.role = 'owner' AND c.email = NEW.requested_by));
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION refund_answers() SET search_path = %I, pg_temp', current_schema());
END $$;
-- +goose StatementEnd
CREATE TRIGGER refund_answers AFTER INSERT ON refund FOR EACH ROW EXECUTE FUNCTION refund_answers();

-- +goose Down
DROP TRIGGER refund_answers ON refund;
DROP FUNCTION refund_answers;
DROP TABLE refund_ask;
DELETE FROM shop_event WHERE kind = 'refund.asked';
