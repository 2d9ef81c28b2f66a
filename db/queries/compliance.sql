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

-- name: ComplianceOfOwner :one
-- Reports whether an account is an admin of a record that is for this shop or for none.
SELECT EXISTS (SELECT FROM compliance c JOIN compliance_admin a ON a.compliance_id = c.id
    WHERE a.account_id = @account_id AND (c.client_code = sqlc.narg(client_code)::text OR c.client_code IS NULL))::boolean;

-- name: ComplianceLinkOwn :exec
-- Links a shop that was made after the application was accepted to its owner's record, if it is the owner's only shop.
UPDATE compliance c SET client_code = @client_code::text
FROM compliance_admin a
WHERE a.compliance_id = c.id AND a.account_id = @account_id AND c.client_code IS NULL
  AND NOT EXISTS (SELECT FROM client_admin o WHERE o.account_id = a.account_id AND o.role = 'owner' AND o.client_code <> @client_code::text);
