-- +goose Up

-- During an upgrade, programs of the version before still read shop_record. The next version drops the table, this trigger and its function.
-- +goose StatementBegin
CREATE FUNCTION compliance_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO shop_record (client_code, compliance_id) VALUES (NEW.client_code, NEW.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER compliance_counts AFTER INSERT OR UPDATE OF client_code ON compliance
FOR EACH ROW WHEN (NEW.client_code IS NOT NULL) EXECUTE FUNCTION compliance_counts();

-- An audit line of the approval's own transaction tells whose application made a record. Before, it could be put down to another owner.
UPDATE compliance c SET applicant = f.account_id
FROM audit a JOIN form f ON f.kind = 'application' AND f.state = 'approved' AND f.decided_at = a.created_at
WHERE a.action = 'compliance record made' AND a.subject = 'compliance ' || c.id AND c.applicant IS NOT NULL AND c.applicant <> f.account_id;

-- The shops that an account's application can be for without anybody saying so: those that it made or owns alone. A shop that somebody else
-- made and shares is theirs, too.
CREATE VIEW own_shop AS
SELECT m.account_id, m.client_code FROM client_admin m
WHERE m.role = 'owner'
  AND (EXISTS (SELECT FROM merchant b WHERE b.client_code = m.client_code AND b.uid = m.account_id)
    OR NOT EXISTS (SELECT FROM client_admin o WHERE o.client_code = m.client_code AND o.role = 'owner' AND o.account_id <> m.account_id));

-- The records that count as the accepted application of a shop. One without people does not: it only says who may own the shop.
CREATE VIEW applied_shop AS
SELECT c.client_code, c.id AS compliance_id, c.applicant FROM compliance c
WHERE c.client_code IS NOT NULL AND c.applicant IS NOT NULL AND EXISTS (SELECT FROM compliance_person p WHERE p.compliance_id = c.id);

-- A record counts for one shop from now on: the one that it names. One with an accepted application that named none names the first that it
-- counted for, if no other accepted application does.
UPDATE compliance c SET client_code = r.code
FROM (SELECT DISTINCT ON (k.id) k.id, r.client_code AS code
    FROM compliance k JOIN shop_record r ON r.compliance_id = k.id JOIN client s ON s.code = r.client_code
    WHERE k.client_code IS NULL AND k.applicant IS NOT NULL AND NOT EXISTS (SELECT FROM compliance o WHERE o.client_code = r.client_code AND o.applicant IS NOT NULL)
    ORDER BY k.id, NOT EXISTS (SELECT FROM own_shop w WHERE w.account_id = k.applicant AND w.client_code = r.client_code), s.created_at, s.code) r
WHERE r.id = c.id
  -- Two records do not begin to name the same shop.
  AND NOT EXISTS (SELECT FROM compliance e JOIN shop_record x ON x.compliance_id = e.id
      WHERE e.client_code IS NULL AND e.id < c.id AND x.client_code = r.code AND e.applicant IS NOT NULL);

-- The other live shops that such a record counted for get one of their own, so that unknown people cannot become their owners. It has no
-- people, since SQL cannot seal their names again, and is of an owner who was known. Other owners whom staff accepted have to be verified
-- again. Shops in test mode use the application again.
INSERT INTO compliance (id, name, client_code, applicant)
SELECT DISTINCT ON (s.code) md5(k.id || ' ' || s.code), k.name, s.code, coalesce(o.account_id, k.applicant)
FROM compliance k JOIN shop_record r ON r.compliance_id = k.id JOIN client s ON s.code = r.client_code
LEFT JOIN known_owner w ON w.client_code = s.code
LEFT JOIN client_admin o ON o.client_code = s.code AND o.account_id = w.account_id AND o.role = 'owner'
WHERE s.live AND k.applicant IS NOT NULL AND NOT EXISTS (SELECT FROM compliance o WHERE o.client_code = s.code AND o.applicant IS NOT NULL)
ORDER BY s.code, o.account_id IS NULL, o.account_id <> k.applicant, k.created_at;
INSERT INTO compliance_admin (compliance_id, account_id)
SELECT c.id, a.account_id
FROM compliance c JOIN shop_record r ON r.client_code = c.client_code JOIN compliance_admin a ON a.compliance_id = r.compliance_id
JOIN client_admin o ON o.client_code = c.client_code AND o.account_id = a.account_id AND o.role = 'owner'
WHERE c.id = md5(r.compliance_id || ' ' || r.client_code)
ON CONFLICT DO NOTHING;

CREATE OR REPLACE VIEW known_owner AS
SELECT c.client_code, c.applicant AS account_id FROM compliance c WHERE c.client_code IS NOT NULL AND c.applicant IS NOT NULL
UNION
SELECT c.client_code, p.account_id FROM compliance c JOIN compliance_person p ON p.compliance_id = c.id
WHERE c.client_code IS NOT NULL AND c.applicant IS NOT NULL AND p.account_id IS NOT NULL AND p.state = 'accepted';

-- If a known owner of the shop may open its record, nobody may who is not a known owner.
DELETE FROM compliance_admin a USING compliance c
WHERE c.id = a.compliance_id AND c.applicant IS NOT NULL AND c.client_code IS NOT NULL
  AND NOT EXISTS (SELECT FROM known_owner k WHERE k.client_code = c.client_code AND k.account_id = a.account_id)
  AND EXISTS (SELECT FROM known_owner k JOIN compliance_admin o ON o.account_id = k.account_id WHERE k.client_code = c.client_code AND o.compliance_id = c.id);

-- +goose Down
DROP TRIGGER compliance_counts ON compliance;
DROP FUNCTION compliance_counts();
CREATE OR REPLACE VIEW known_owner AS
SELECT r.client_code, c.applicant AS account_id FROM shop_record r JOIN compliance c ON c.id = r.compliance_id WHERE c.applicant IS NOT NULL
UNION
SELECT r.client_code, p.account_id FROM shop_record r JOIN compliance c ON c.id = r.compliance_id JOIN compliance_person p ON p.compliance_id = c.id
WHERE c.applicant IS NOT NULL AND p.account_id IS NOT NULL AND p.state = 'accepted';
INSERT INTO shop_record (client_code, compliance_id) SELECT client_code, id FROM compliance WHERE client_code IS NOT NULL ON CONFLICT DO NOTHING;
DROP VIEW own_shop;
DROP VIEW applied_shop;
