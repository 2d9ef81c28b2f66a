-- +goose NO TRANSACTION
-- +goose Up

-- Orders with a reference of their caller's were stored as pay links, which need no open kitchen. What has lines is an order. The pay links
-- alone are read, by transaction_link. The statement may run again, and has no time limit, as in 00027.
SELECT set_config(name, '0', false) FROM pg_catalog.pg_settings
WHERE name IN ('statement_timeout', 'lock_timeout') AND source = 'client';

UPDATE transaction t SET kind = 'order'
WHERE t.kind = 'link' AND EXISTS (SELECT FROM order_line l WHERE l.transaction_id = t.id);

RESET lock_timeout;
RESET statement_timeout;

-- +goose Down
SELECT 1; -- which of the orders were stored as pay links is not known any more
