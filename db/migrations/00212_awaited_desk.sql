-- +goose NO TRANSACTION
-- +goose Up

-- What a business is owed is added up from the index alone. Building it has no time limit, as in 00027.
SELECT set_config(name, '0', false) FROM pg_catalog.pg_settings
WHERE name IN ('statement_timeout', 'lock_timeout') AND source = 'client';

DROP INDEX CONCURRENTLY IF EXISTS awaited_owed;
CREATE INDEX CONCURRENTLY awaited_owed ON awaited (client_code, test_mode, moved_at) INCLUDE (kind, amount_minor, currency);
DROP INDEX CONCURRENTLY IF EXISTS awaited_desk;

RESET lock_timeout;
RESET statement_timeout;

-- +goose Down
CREATE INDEX awaited_desk ON awaited (client_code, test_mode, moved_at);
DROP INDEX awaited_owed;
