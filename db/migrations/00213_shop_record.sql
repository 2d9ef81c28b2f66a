-- +goose Up

-- The compliance records that count for a shop; compliance.client_code is the shop that a record names. A record starts to count when it is
-- made, when the shop is made, or when an owner uses it for another shop. It still counts when others own the shop, because it decides who may.
CREATE TABLE shop_record (
    client_code text NOT NULL REFERENCES client (code) ON DELETE CASCADE ON UPDATE CASCADE,
    compliance_id text NOT NULL REFERENCES compliance (id) ON DELETE CASCADE,
    PRIMARY KEY (client_code, compliance_id)
);
CREATE INDEX shop_record_compliance ON shop_record (compliance_id);
INSERT INTO shop_record
SELECT client_code, id FROM compliance WHERE client_code IS NOT NULL
UNION
SELECT o.client_code, c.id FROM compliance c
JOIN compliance_admin a ON a.compliance_id = c.id JOIN client_admin o ON o.account_id = a.account_id AND o.role = 'owner'
WHERE c.client_code IS NULL;

-- Who may own a shop with an accepted application: who sent it, and members of the team whose identity staff accepted. A shop that is not
-- listed may have any owners.
CREATE VIEW known_owner AS
SELECT r.client_code, c.applicant AS account_id FROM shop_record r JOIN compliance c ON c.id = r.compliance_id WHERE c.applicant IS NOT NULL
UNION
SELECT r.client_code, p.account_id FROM shop_record r JOIN compliance c ON c.id = r.compliance_id JOIN compliance_person p ON p.compliance_id = c.id
WHERE c.applicant IS NOT NULL AND p.account_id IS NOT NULL AND p.state = 'accepted';

-- The highest number given to a person of the record. A number is never reused, because staff decide by it.
ALTER TABLE compliance ADD COLUMN last_number int NOT NULL DEFAULT 0;
UPDATE compliance c SET last_number = coalesce((SELECT max(p.number) FROM compliance_person p WHERE p.compliance_id = c.id), 0);

-- +goose Down
DROP VIEW known_owner;
ALTER TABLE compliance DROP COLUMN last_number;
DROP TABLE shop_record;
