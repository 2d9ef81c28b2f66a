-- +goose NO TRANSACTION
-- +goose Up

-- What a transaction is: an order, which somebody makes, or a link that a merchant sent to be paid. So far its expiry had to
-- tell, and an invoice with a last day counted as an order. Each statement may run again where one after it was cut off, and
-- none keeps payments waiting for longer than it takes to write a line of the catalogue.
ALTER TABLE transaction ADD COLUMN IF NOT EXISTS kind text NOT NULL DEFAULT 'order';

-- A program of the version before gives no kind.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION transaction_find_kind() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.kind := CASE WHEN NEW.source <> 'diy-pos' AND NEW.trx_ref NOT IN ('', 'POS', 'QR') THEN 'link' ELSE 'order' END;
    RETURN NEW;
END $$;
-- +goose StatementEnd

DROP TRIGGER IF EXISTS transaction_kind ON transaction;
CREATE TRIGGER transaction_kind BEFORE INSERT ON transaction
    FOR EACH ROW WHEN (NEW.kind IS NULL) EXECUTE FUNCTION transaction_find_kind();
ALTER TABLE transaction ALTER COLUMN kind DROP DEFAULT;

-- A connection that is a pooler's is somebody else's next, so both timeouts go back to what they were.
SELECT set_config(name, '0', false) FROM pg_catalog.pg_settings
WHERE name IN ('statement_timeout', 'lock_timeout') AND source = 'client';
UPDATE transaction SET kind = 'link'
WHERE source <> 'diy-pos' AND trx_ref NOT IN ('', 'POS', 'QR') AND kind <> 'link';

ALTER TABLE transaction DROP CONSTRAINT IF EXISTS transaction_kind_known;
ALTER TABLE transaction ADD CONSTRAINT transaction_kind_known CHECK (kind IN ('order', 'link')) NOT VALID;
ALTER TABLE transaction VALIDATE CONSTRAINT transaction_kind_known;
RESET lock_timeout;
RESET statement_timeout;

-- +goose Down
DROP TRIGGER transaction_kind ON transaction;
ALTER TABLE transaction DROP COLUMN kind;
DROP FUNCTION transaction_find_kind;
