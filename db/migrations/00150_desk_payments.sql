-- +goose NO TRANSACTION
-- +goose Up

-- What a business finds its payments by: by their time, by card and by amount, the newest first; those without an outcome; what it took and gave back on a day; the
-- reference that it gave. Each begins with the business and the mode, so that a page costs the same however many payments others have.
-- Making the indexes may take as long as it takes, as in 00027.
SELECT set_config(name, '0', false) FROM pg_catalog.pg_settings
WHERE name IN ('statement_timeout', 'lock_timeout') AND source = 'client';

DROP INDEX CONCURRENTLY IF EXISTS attempt_desk;
CREATE INDEX CONCURRENTLY attempt_desk ON attempt (client_code, test_mode, created_at DESC, id DESC);
DROP INDEX CONCURRENTLY IF EXISTS attempt_desk_card;
CREATE INDEX CONCURRENTLY attempt_desk_card ON attempt (client_code, test_mode, card_last_four DESC, created_at DESC, id DESC) WHERE card_last_four <> '';
DROP INDEX CONCURRENTLY IF EXISTS attempt_desk_amount;
CREATE INDEX CONCURRENTLY attempt_desk_amount ON attempt (client_code, test_mode, amount_minor DESC, created_at DESC, id DESC);
DROP INDEX CONCURRENTLY IF EXISTS attempt_desk_open;
CREATE INDEX CONCURRENTLY attempt_desk_open ON attempt (client_code, test_mode, created_at DESC, id DESC)
    WHERE state IN ('submitting', 'redirected', 'unknown', 'manual');
DROP INDEX CONCURRENTLY IF EXISTS attempt_desk_paid;
CREATE INDEX CONCURRENTLY attempt_desk_paid ON attempt (client_code, test_mode, settled_at, id) WHERE state = 'approved';
DROP INDEX CONCURRENTLY IF EXISTS refund_desk;
CREATE INDEX CONCURRENTLY refund_desk ON refund (client_code, test_mode, settled_at) WHERE state IN ('done', 'declined');
DROP INDEX CONCURRENTLY IF EXISTS dispute_desk;
CREATE INDEX CONCURRENTLY dispute_desk ON dispute (client_code, test_mode, opened_at);
DROP INDEX CONCURRENTLY IF EXISTS transaction_reference;
CREATE INDEX CONCURRENTLY transaction_reference ON transaction (client_code, client_ref) WHERE client_ref <> '';

RESET lock_timeout;
RESET statement_timeout;

-- +goose Down
DROP INDEX transaction_reference;
DROP INDEX dispute_desk;
DROP INDEX refund_desk;
DROP INDEX attempt_desk_paid;
DROP INDEX attempt_desk_open;
DROP INDEX attempt_desk_amount;
DROP INDEX attempt_desk_card;
DROP INDEX attempt_desk;
