-- +goose NO TRANSACTION
-- +goose Up

-- What a comparison with the gateway's ledger finds its movements by, and what tells how new a database is. An attempt is settled soon
-- after it was made, so that where a day begins is enough to know; making it beside payments may take as long as it takes, as in 00027.
SELECT set_config(name, '0', false) FROM pg_catalog.pg_settings
WHERE name IN ('statement_timeout', 'lock_timeout') AND source = 'client';

DROP INDEX CONCURRENTLY IF EXISTS attempt_settled;
CREATE INDEX CONCURRENTLY attempt_settled ON attempt USING brin (settled_at) WITH (pages_per_range = 32, autosummarize = on);
DROP INDEX CONCURRENTLY IF EXISTS refund_settled;
CREATE INDEX CONCURRENTLY refund_settled ON refund (settled_at);
DROP INDEX CONCURRENTLY IF EXISTS transaction_created;
CREATE INDEX CONCURRENTLY transaction_created ON transaction USING brin (created_at) WITH (pages_per_range = 32, autosummarize = on);

RESET lock_timeout;
RESET statement_timeout;

-- +goose Down
DROP INDEX transaction_created;
DROP INDEX refund_settled;
DROP INDEX attempt_settled;
