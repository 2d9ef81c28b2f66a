-- +goose Up

-- From where an order came, as the limit on unpaid orders counts it: a keyed hash of the network, NULL where nothing is counted. It
-- goes once the order is paid, refused or expired.
ALTER TABLE transaction ADD COLUMN origin bytea;

-- A paid order no longer counts towards the limit.
-- +goose StatementBegin
CREATE FUNCTION transaction_forget_origin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.approved_attempt IS NOT NULL THEN
        UPDATE throttle SET count = count - 1
        WHERE subject = 'unpaid orders' AND key = OLD.origin AND since <= OLD.created_at AND count > 0;
    END IF;
    NEW.origin := NULL;
    RETURN NEW;
END $$;
-- +goose StatementEnd

CREATE TRIGGER transaction_origin BEFORE UPDATE OF status ON transaction
    FOR EACH ROW WHEN (OLD.origin IS NOT NULL AND NEW.status NOT IN ('new', 'processing')) EXECUTE FUNCTION transaction_forget_origin();

-- +goose Down
DROP TRIGGER transaction_origin ON transaction;
DROP FUNCTION transaction_forget_origin();
ALTER TABLE transaction DROP COLUMN origin;
