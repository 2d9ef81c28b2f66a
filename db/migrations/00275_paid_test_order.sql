-- +goose Up

-- A paid order no longer counts towards the limit on unpaid orders, unless it was paid with test money, which anybody has.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION transaction_forget_origin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.approved_attempt IS NOT NULL AND NOT NEW.test_mode THEN
        INSERT INTO paid_origin VALUES (OLD.id, OLD.origin, OLD.created_at) ON CONFLICT DO NOTHING;
    END IF;
    NEW.origin := NULL;
    RETURN NEW;
END $$;
-- +goose StatementEnd

-- The test gateway keeps the last 10,000 payments of a merchant.
CREATE INDEX test_payment_newest ON test_payment (merchant_uuid, created_at);

-- +goose Down
DROP INDEX test_payment_newest;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION transaction_forget_origin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.approved_attempt IS NOT NULL THEN
        INSERT INTO paid_origin VALUES (OLD.id, OLD.origin, OLD.created_at) ON CONFLICT DO NOTHING;
    END IF;
    NEW.origin := NULL;
    RETURN NEW;
END $$;
-- +goose StatementEnd
