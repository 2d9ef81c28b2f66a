-- +goose Up

-- The shop that a record is for, so that leaving its team ends exactly this access. Null: the record is from before, or the business
-- has no shop.
ALTER TABLE compliance ADD COLUMN client_code text REFERENCES client (code) ON DELETE SET NULL;
CREATE INDEX compliance_client ON compliance (client_code);

-- A record whose admins all work for one and the same business is for that one.
WITH works AS (
    SELECT account_id, client_code AS code FROM client_admin
    UNION SELECT d.account_id, m.code FROM merchant_admin d JOIN merchant m ON m.uuid = d.merchant_uuid
), certain AS (
    SELECT a.compliance_id, min(w.code) AS code
    FROM compliance_admin a LEFT JOIN works w USING (account_id)
    GROUP BY a.compliance_id HAVING count(DISTINCT w.code) = 1 AND count(*) = count(w.code)
)
UPDATE compliance c SET client_code = certain.code FROM certain
WHERE c.id = certain.compliance_id AND EXISTS (SELECT FROM client WHERE client.code = certain.code);

-- The demo's.
UPDATE compliance SET client_code = 'panezski'
WHERE id = 'demo-compliance' AND name = 'Panezski Bakery Café Pty Ltd' AND EXISTS (SELECT FROM client WHERE code = 'panezski' AND demo_open IS NOT NULL);

-- +goose Down
DROP INDEX compliance_client;
ALTER TABLE compliance DROP COLUMN client_code;
