-- +goose NO TRANSACTION
-- +goose Up
-- When the page of an unpaid order was last shown, and the unpaid orders of each origin: beyond the limit the oldest ends that nobody looks
-- at. Making the index may take as long as it takes, as in 00027.
ALTER TABLE transaction ADD COLUMN IF NOT EXISTS shown_at timestamptz;
SELECT set_config(name, '0', false) FROM pg_catalog.pg_settings
WHERE name IN ('statement_timeout', 'lock_timeout') AND source = 'client';

DROP INDEX CONCURRENTLY IF EXISTS transaction_origin;
CREATE INDEX CONCURRENTLY transaction_origin ON transaction (origin, created_at) WHERE origin IS NOT NULL;
RESET statement_timeout;
RESET lock_timeout;

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS transaction_origin;
ALTER TABLE transaction DROP COLUMN IF EXISTS shown_at;
