-- +goose NO TRANSACTION
-- +goose Up

-- The gateway that an attempt or a refund was sent to, by GATEWAY_ID: it alone is asked about it. Null, in rows from before this was
-- kept and in those of a program of before that still serves: whatever gateway it is now.
ALTER TABLE attempt ADD COLUMN IF NOT EXISTS gateway text;
ALTER TABLE refund ADD COLUMN IF NOT EXISTS gateway text;

-- Two gateways may give the same id, and so may one to two merchants or in two modes. Making the index may take as long as it
-- takes, as in 00027.
SELECT set_config(name, '0', false) FROM pg_catalog.pg_settings
WHERE name IN ('statement_timeout', 'lock_timeout') AND source = 'client';

DROP INDEX CONCURRENTLY IF EXISTS attempt_capture;
CREATE UNIQUE INDEX CONCURRENTLY attempt_capture ON attempt (transactionid, client_code, test_mode, (coalesce(gateway, ''))) WHERE state = 'approved';
DROP INDEX CONCURRENTLY IF EXISTS attempt_gateway_transactionid;

RESET lock_timeout;
RESET statement_timeout;

-- +goose Down
CREATE UNIQUE INDEX attempt_gateway_transactionid ON attempt (transactionid) WHERE state = 'approved';
DROP INDEX attempt_capture;
ALTER TABLE refund DROP COLUMN gateway;
ALTER TABLE attempt DROP COLUMN gateway;
