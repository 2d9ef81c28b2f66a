-- +goose Up

-- The records that count for a shop: its own, and those of its owners that name no shop. Who may own the shop depends on them.
CREATE VIEW shop_record AS
SELECT client_code::text AS client_code, id AS compliance_id, true AS own FROM compliance WHERE client_code IS NOT NULL
UNION
SELECT o.client_code, c.id, false FROM compliance c
JOIN compliance_admin a ON a.compliance_id = c.id JOIN client_admin o ON o.account_id = a.account_id AND o.role = 'owner'
WHERE c.client_code IS NULL;

-- +goose Down
DROP VIEW shop_record;
