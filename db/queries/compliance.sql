-- name: ComplianceAdd :execrows
-- applicant is whose accepted application made the record. Zero rows: the id is taken.
INSERT INTO compliance (id, name, shop_code, applicant) VALUES (@id, @name, sqlc.narg(shop_code), sqlc.narg(applicant)) ON CONFLICT (id) DO NOTHING;

-- name: ComplianceGet :one
SELECT sqlc.embed(c), coalesce(s.name, '')::text AS shop FROM compliance c LEFT JOIN shop s ON s.code = c.shop_code WHERE c.id = @id;

-- name: ComplianceGetOwn :one
-- A record, for one of its admins only.
SELECT sqlc.embed(c), coalesce(s.name, '')::text AS shop
FROM compliance c JOIN compliance_admin a ON a.compliance_id = c.id LEFT JOIN shop s ON s.code = c.shop_code
WHERE c.id = @id AND a.account_id = @account_id;

-- name: ComplianceAdminAdd :execrows
INSERT INTO compliance_admin (compliance_id, account_id) SELECT @compliance_id::text, a.id FROM account a WHERE a.email = @email;

-- name: ComplianceAdminList :many
SELECT a.id, a.email FROM compliance_admin m JOIN account a ON a.id = m.account_id
WHERE m.compliance_id = @compliance_id ORDER BY a.email;

-- name: ComplianceLink :exec
-- Sets the shop of a record that ComplianceUsable has locked.
UPDATE compliance SET shop_code = @shop_code::text WHERE id = @id;

-- name: ComplianceShopOf :one
-- Finds the shop that an accepted application is for: the applicant's only own shop without an accepted application, or the one of several
-- that has that name. No row: there is none, or it is not clear which one.
SELECT c.code FROM (
    SELECT s.code, s.name, count(*) OVER () AS shops, count(*) OVER (PARTITION BY s.name) AS namesakes
    FROM own_shop o JOIN shop s ON s.code = o.shop_code
    WHERE o.account_id = @account_id AND NOT EXISTS (SELECT FROM applied_shop a WHERE a.shop_code = s.code)
) c
WHERE c.name = @name::text AND c.namesakes = 1 OR c.shops = 1;

-- name: ComplianceShopsLock :exec
-- Locks the shops of an owner until the transaction ends, so that nobody joins or leaves their teams.
SELECT FROM shop c WHERE c.code IN (SELECT m.shop_code FROM shop_member m WHERE m.account_id = @account_id AND m.role = 'owner')
ORDER BY c.code FOR NO KEY UPDATE;

-- name: ComplianceMade :one
-- Reports whether an account's accepted application has its record.
SELECT EXISTS (SELECT FROM compliance c WHERE c.applicant = @applicant::uuid
    AND (c.shop_code IS NULL OR EXISTS (SELECT FROM applied_shop s WHERE s.compliance_id = c.id)))::boolean;

-- name: ComplianceSuccessor :one
-- Returns what decides whether somebody may own a shop with an accepted application; of several records it prefers one that allows it. number
-- and state are those of the person in the record; 0 for none. No row: no application was accepted.
SELECT c.id, (c.applicant = @account_id::uuid)::boolean AS applied, coalesce(p.number, 0)::int AS number, coalesce(p.state, '')::text AS state
FROM compliance c LEFT JOIN compliance_person p ON p.compliance_id = c.id AND p.account_id = @account_id::uuid
WHERE c.shop_code = @shop_code::text AND c.applicant IS NOT NULL
ORDER BY c.applicant = @account_id::uuid OR coalesce(p.state = 'accepted', false) DESC, p.number IS NULL, c.created_at DESC LIMIT 1;

-- name: ComplianceLockOfOwner :one
-- Locks the record of a shop whose application was accepted until the transaction ends, for an owner of the shop who adds a member of the
-- team. next is the number of the next person; a program of the version before gives numbers without last_number.
SELECT c.id, (greatest(c.last_number, (SELECT max(p.number) FROM compliance_person p WHERE p.compliance_id = c.id)) + 1)::int AS next
FROM compliance c
JOIN compliance_admin a ON a.compliance_id = c.id AND a.account_id = @owner::uuid
JOIN shop_member o ON o.shop_code = c.shop_code AND o.account_id = @owner::uuid AND o.role = 'owner'
JOIN shop_member m ON m.shop_code = c.shop_code AND m.account_id = @member::uuid
WHERE c.shop_code = @shop_code::text AND c.applicant IS NOT NULL
ORDER BY c.created_at DESC LIMIT 1 FOR UPDATE OF c;

-- name: ComplianceRunner :one
-- Reports whether an account may open the record of a shop's accepted application.
SELECT EXISTS (SELECT FROM compliance c JOIN compliance_admin a ON a.compliance_id = c.id
    WHERE c.shop_code = @shop_code::text AND c.applicant IS NOT NULL AND a.account_id = @account_id)::boolean;

-- name: ComplianceLinkNew :exec
-- Links a new shop to the record of its maker that names none, unless the maker has another shop that it could be for.
UPDATE compliance SET shop_code = @shop_code::text WHERE shop_code IS NULL AND id = (
    SELECT c.id FROM compliance c JOIN compliance_admin a ON a.compliance_id = c.id JOIN merchant m ON m.uuid = @merchant::uuid AND m.uid = a.account_id
    JOIN merchant_admin x ON x.merchant_uuid = m.uuid AND x.account_id = m.uid
    WHERE c.shop_code IS NULL AND (c.applicant IS NULL OR c.applicant = m.uid)
      AND NOT EXISTS (SELECT FROM own_shop o WHERE o.account_id = m.uid AND o.shop_code <> @shop_code::text
          AND NOT EXISTS (SELECT FROM applied_shop s WHERE s.shop_code = o.shop_code))
    ORDER BY c.applicant IS NULL, c.created_at DESC LIMIT 1);

-- name: ComplianceUsable :one
-- Locks the record of an owner's own accepted application, to use it for a shop that has none, until the transaction ends; first the one that
-- names no shop. No row: there is nothing to use, or no need.
SELECT c.id, c.shop_code FROM compliance c
JOIN compliance_admin a ON a.compliance_id = c.id AND a.account_id = c.applicant
JOIN shop_member o ON o.account_id = c.applicant AND o.role = 'owner' AND o.shop_code = @shop_code::text
WHERE c.applicant = @applicant::uuid
  AND (c.shop_code IS NULL OR EXISTS (SELECT FROM applied_shop s WHERE s.compliance_id = c.id))
  AND NOT EXISTS (SELECT FROM applied_shop s WHERE s.shop_code = @shop_code::text)
ORDER BY c.shop_code IS NOT NULL, c.created_at LIMIT 1 FOR UPDATE OF c;
