-- +goose Up
-- The businesses that take no orders now: live, with orders that a kitchen has to see, and no screen that was open within ten
-- minutes. The menu, an order and a payment ask the same.
CREATE VIEW kitchen_closed AS
SELECT c.code AS client_code FROM client c
WHERE c.live AND c.needs_kitchen AND NOT EXISTS (
    SELECT FROM kitchen_screen k WHERE k.client_code = c.code AND k.seen_at > now() - interval '10 minutes');

-- +goose Down
DROP VIEW kitchen_closed;
