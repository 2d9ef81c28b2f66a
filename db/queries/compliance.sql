-- name: ComplianceAdd :execrows
-- Zero rows: the id is taken.
INSERT INTO compliance (id, name, client_code) VALUES (@id, @name, sqlc.narg(client_code)) ON CONFLICT (id) DO NOTHING;

-- name: ComplianceGet :one
SELECT sqlc.embed(c), coalesce(s.name, '')::text AS shop FROM compliance c LEFT JOIN client s ON s.code = c.client_code WHERE c.id = @id;

-- name: ComplianceGetOwn :one
-- A record, for one of its admins only.
SELECT sqlc.embed(c), coalesce(s.name, '')::text AS shop
FROM compliance c JOIN compliance_admin a ON a.compliance_id = c.id LEFT JOIN client s ON s.code = c.client_code
WHERE c.id = @id AND a.account_id = @account_id;

-- name: ComplianceAdminAdd :exec
INSERT INTO compliance_admin (compliance_id, account_id) VALUES (@compliance_id, @account_id) ON CONFLICT DO NOTHING;

-- name: ComplianceAdminList :many
SELECT a.id, a.email FROM compliance_admin m JOIN account a ON a.id = m.account_id
WHERE m.compliance_id = @compliance_id ORDER BY a.email;

-- name: ComplianceLink :execrows
-- Sets the shop that a record is for. Zero rows: there is no such record.
UPDATE compliance SET client_code = @client_code::text WHERE id = @id;

-- name: ComplianceShopOf :one
-- Finds the shop that a new record of an owner is for: the owner's only shop, or the one of several that has that name. No row: there is
-- none, or it is not clear which one.
SELECT c.code FROM client_admin m JOIN client c ON c.code = m.client_code
WHERE m.account_id = @account_id AND m.role = 'owner'
  AND (c.name = @name OR NOT EXISTS (SELECT FROM client_admin o WHERE o.account_id = m.account_id AND o.role = 'owner' AND o.client_code <> c.code))
ORDER BY c.created_at LIMIT 1;

-- name: ComplianceApplied :exec
-- Notes whose application was accepted with the record of a shop, or with the one that names no shop.
UPDATE compliance c SET applicant = @applicant::uuid
FROM compliance_admin a
WHERE a.compliance_id = c.id AND a.account_id = @applicant::uuid AND c.applicant IS NULL
  AND (c.client_code = sqlc.narg(client_code)::text OR c.client_code IS NULL);

-- name: ComplianceAppliedBefore :exec
-- Notes that the application of one of a record's admins was accepted before the record was made.
UPDATE compliance c SET applicant = (
    SELECT a.account_id FROM compliance_admin a JOIN form f ON f.account_id = a.account_id
    WHERE a.compliance_id = c.id AND f.kind = 'application' AND f.state = 'approved' ORDER BY f.decided_at LIMIT 1)
WHERE c.id = @id AND c.applicant IS NULL;

-- name: ComplianceSuccessor :one
-- Returns what decides whether somebody may own a shop with an accepted application; of several records it prefers one that allows it. number
-- and state are those of the person in the record; 0 for none. No row: no application was accepted.
SELECT c.id, (c.applicant = @account_id::uuid)::boolean AS applied, coalesce(p.number, 0)::int AS number, coalesce(p.state, '')::text AS state
FROM shop_record r JOIN compliance c ON c.id = r.compliance_id
LEFT JOIN compliance_person p ON p.compliance_id = c.id AND p.account_id = @account_id::uuid
WHERE r.client_code = @client_code::text AND c.applicant IS NOT NULL
ORDER BY c.applicant = @account_id::uuid OR coalesce(p.state = 'accepted', false) DESC, p.number IS NULL, c.created_at DESC LIMIT 1;

-- name: ComplianceLockOfOwner :one
-- Locks the record of a shop whose application was accepted until the transaction ends, for an owner of the shop who adds a member of the
-- team. next is the number of the next person; a program of the version before gives numbers without last_number.
SELECT c.id, (greatest(c.last_number, (SELECT max(p.number) FROM compliance_person p WHERE p.compliance_id = c.id)) + 1)::int AS next
FROM shop_record r JOIN compliance c ON c.id = r.compliance_id
JOIN compliance_admin a ON a.compliance_id = c.id AND a.account_id = @owner::uuid
JOIN client_admin o ON o.client_code = r.client_code AND o.account_id = @owner::uuid AND o.role = 'owner'
JOIN client_admin m ON m.client_code = r.client_code AND m.account_id = @member::uuid
WHERE r.client_code = @client_code::text AND c.applicant IS NOT NULL
ORDER BY c.created_at DESC LIMIT 1 FOR UPDATE OF c;

-- name: ComplianceOfOwner :one
-- Reports whether an account is an admin of a record that is for this shop or for none, and that holds nobody else's application.
SELECT EXISTS (SELECT FROM compliance c JOIN compliance_admin a ON a.compliance_id = c.id
    WHERE a.account_id = @account_id AND (c.client_code = sqlc.narg(client_code)::text OR c.client_code IS NULL)
      AND (c.applicant IS NULL OR c.applicant = @account_id))::boolean;

-- name: ComplianceLinkNew :exec
-- Links a new shop to the record of its first owner's application, if that came before the shop. An owner of other shops keeps a record that
-- names none.
UPDATE compliance SET client_code = @client_code::text WHERE id = (
    SELECT c.id FROM compliance c JOIN compliance_admin a ON a.compliance_id = c.id
    WHERE a.account_id = @owner::uuid AND c.client_code IS NULL AND (c.applicant IS NULL OR c.applicant = @owner::uuid)
      AND NOT EXISTS (SELECT FROM client_admin o WHERE o.account_id = @owner::uuid AND o.role = 'owner' AND o.client_code <> @client_code::text)
    ORDER BY c.applicant IS NULL, c.created_at DESC LIMIT 1);

-- name: ShopRecordAdd :exec
-- Makes a record count for the shop that it names, or, if it names none, for those that its admins own.
INSERT INTO shop_record (client_code, compliance_id)
SELECT c.client_code::text, c.id FROM compliance c WHERE c.id = @id AND c.client_code IS NOT NULL
UNION
SELECT o.client_code, c.id FROM compliance c
JOIN compliance_admin a ON a.compliance_id = c.id JOIN client_admin o ON o.account_id = a.account_id AND o.role = 'owner'
WHERE c.id = @id AND c.client_code IS NULL
ON CONFLICT DO NOTHING;

-- name: ShopRecordAddApplied :exec
-- Makes each record of an applicant's accepted application count for the shop that it names, if the applicant owns that shop. A record that
-- names no shop counts for every shop that the applicant owns.
INSERT INTO shop_record (client_code, compliance_id)
SELECT o.client_code, c.id FROM compliance c JOIN client_admin o ON o.account_id = c.applicant AND o.role = 'owner'
WHERE c.applicant = @applicant::uuid AND coalesce(c.client_code, o.client_code) = o.client_code
ON CONFLICT DO NOTHING;

-- name: ShopRecordAddNew :exec
-- Makes the records of a new shop's first owner count for it: the one that names it, and those that name none and hold nobody else's
-- application.
INSERT INTO shop_record (client_code, compliance_id)
SELECT @client_code::text, c.id FROM compliance c JOIN compliance_admin a ON a.compliance_id = c.id
WHERE a.account_id = @owner::uuid AND coalesce(c.client_code, @client_code::text) = @client_code::text AND (c.applicant IS NULL OR c.applicant = @owner::uuid)
ON CONFLICT DO NOTHING;

-- name: ShopRecordUse :execrows
-- Makes the record of an owner's own accepted application count for a shop that has none. Zero rows: there is nothing to use, or no need.
INSERT INTO shop_record (client_code, compliance_id)
SELECT o.client_code, c.id FROM compliance c JOIN compliance_admin a ON a.compliance_id = c.id AND a.account_id = c.applicant
JOIN client_admin o ON o.account_id = c.applicant AND o.role = 'owner'
WHERE c.applicant = @applicant::uuid AND o.client_code = @client_code::text
  AND NOT EXISTS (SELECT FROM shop_record r JOIN compliance e ON e.id = r.compliance_id WHERE r.client_code = o.client_code AND e.applicant IS NOT NULL)
ORDER BY c.created_at DESC LIMIT 1
ON CONFLICT DO NOTHING;
