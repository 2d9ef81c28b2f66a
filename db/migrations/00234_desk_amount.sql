-- +goose NO TRANSACTION
-- +goose Up
-- The desk searches by what was captured. Making the index may take as long as it takes, as in 00027.
SELECT set_config(name, '0', false) FROM pg_catalog.pg_settings
WHERE name IN ('statement_timeout', 'lock_timeout') AND source = 'client';

DROP INDEX CONCURRENTLY IF EXISTS attempt_desk_amount;
CREATE INDEX CONCURRENTLY attempt_desk_amount
    ON attempt (shop_code, test_mode, (coalesce(captured_minor, amount_minor)) DESC, created_at DESC, id DESC);

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS attempt_desk_amount;
CREATE INDEX CONCURRENTLY attempt_desk_amount ON attempt (shop_code, test_mode, amount_minor DESC, created_at DESC, id DESC);
