-- +goose NO TRANSACTION
-- +goose Up

-- Today's page and what a business is owed add up thousands of payments on a busy day: the index alone answers them. Building it has no
-- time limit, as in 00027.
SELECT set_config(name, '0', false) FROM pg_catalog.pg_settings
WHERE name IN ('statement_timeout', 'lock_timeout') AND source = 'client';

DROP INDEX CONCURRENTLY IF EXISTS attempt_desk_taken;
CREATE INDEX CONCURRENTLY attempt_desk_taken ON attempt (client_code, test_mode, settled_at, id)
    INCLUDE (amount_minor, captured_minor, currency) WHERE state = 'approved';
DROP INDEX CONCURRENTLY IF EXISTS attempt_desk_paid;

RESET lock_timeout;
RESET statement_timeout;

-- +goose Down
CREATE INDEX attempt_desk_paid ON attempt (client_code, test_mode, settled_at, id) WHERE state = 'approved';
DROP INDEX attempt_desk_taken;
