-- +goose NO TRANSACTION
-- +goose Up

-- The few captures in another currency that were given back, and the payouts of a business. Building the indexes has no time limit, as
-- in 00027.
SELECT set_config(name, '0', false) FROM pg_catalog.pg_settings
WHERE name IN ('statement_timeout', 'lock_timeout') AND source = 'client';

DROP INDEX CONCURRENTLY IF EXISTS refund_foreign;
CREATE INDEX CONCURRENTLY refund_foreign ON refund (client_code, test_mode, settled_at) WHERE attempt_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS payout_client;
CREATE INDEX CONCURRENTLY payout_client ON payout (client_code, test_mode, paid_at, id);

RESET lock_timeout;
RESET statement_timeout;

-- +goose Down
DROP INDEX payout_client;
DROP INDEX refund_foreign;
