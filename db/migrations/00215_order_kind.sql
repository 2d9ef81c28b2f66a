-- +goose NO TRANSACTION
-- +goose Up

-- Orders to which the caller gave a reference were stored as pay links, which need no open kitchen. A transaction with lines is an order. The
-- statement reads only pay links, through the index transaction_link. It may run again, and has no time limit, as in 00027.
SELECT set_config(name, '0', false) FROM pg_catalog.pg_settings
WHERE name IN ('statement_timeout', 'lock_timeout') AND source = 'client';

UPDATE transaction t SET kind = 'order'
WHERE t.kind = 'link' AND EXISTS (SELECT FROM order_line l WHERE l.transaction_id = t.id);

RESET lock_timeout;
RESET statement_timeout;

-- +goose Down
SELECT 1; -- which of the orders were stored as pay links is not known any more
