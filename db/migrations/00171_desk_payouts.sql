-- +goose NO TRANSACTION
-- +goose Up

-- For a business's list of payouts, and for what it is owed. Building the indexes has no time limit, as in 00027.
SELECT set_config(name, '0', false) FROM pg_catalog.pg_settings
WHERE name IN ('statement_timeout', 'lock_timeout') AND source = 'client';

DROP INDEX CONCURRENTLY IF EXISTS payout_desk;
CREATE INDEX CONCURRENTLY payout_desk ON payout (client_code, test_mode, paid_at DESC, id DESC);
DROP INDEX CONCURRENTLY IF EXISTS unsettled_desk;
CREATE INDEX CONCURRENTLY unsettled_desk ON unsettled (client_code, test_mode, moved_at);

RESET lock_timeout;
RESET statement_timeout;

-- +goose Down
DROP INDEX unsettled_desk;
DROP INDEX payout_desk;
