-- +goose NO TRANSACTION
-- +goose Up

-- Whether a shop's first test order was paid, for its checklist; only orders of test mode write to it. Making the index may take as
-- long as it takes, as in 00027.
SELECT set_config(name, '0', false) FROM pg_catalog.pg_settings
WHERE name IN ('statement_timeout', 'lock_timeout') AND source = 'client';

DROP INDEX CONCURRENTLY IF EXISTS transaction_tested;
CREATE INDEX CONCURRENTLY transaction_tested ON transaction (client_code, paid_at) WHERE test_mode AND kind = 'order' AND paid_at IS NOT NULL;

RESET lock_timeout;
RESET statement_timeout;

-- +goose Down
DROP INDEX transaction_tested;
