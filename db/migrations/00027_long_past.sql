-- +goose NO TRANSACTION
-- +goose Up

-- What finds its few rows among millions. Made beside payments, so it may take as long as it takes, where the timeouts are of
-- this connection: a pooler's is somebody else's next. What was cut off is made anew.
SELECT set_config(name, '0', false) FROM pg_catalog.pg_settings
WHERE name IN ('statement_timeout', 'lock_timeout') AND source = 'client';

-- Attempts come in the order of their time, so the daily comparison needs to know no more than where a day begins: that costs
-- an insert next to nothing.
DROP INDEX CONCURRENTLY IF EXISTS attempt_created;
CREATE INDEX CONCURRENTLY attempt_created ON attempt USING brin (created_at) WITH (pages_per_range = 32, autosummarize = on);
DROP INDEX CONCURRENTLY IF EXISTS refund_created;
CREATE INDEX CONCURRENTLY refund_created ON refund (created_at);

-- The limits look at a business's declines before each payment; at all of its payments only when there are many declines.
DROP INDEX CONCURRENTLY IF EXISTS attempt_declined_client;
CREATE INDEX CONCURRENTLY attempt_declined_client ON attempt (client_code, settled_at) WHERE state = 'declined' AND NOT test_mode;

RESET lock_timeout;
RESET statement_timeout;

-- +goose Down
DROP INDEX attempt_declined_client;
DROP INDEX refund_created;
DROP INDEX attempt_created;
