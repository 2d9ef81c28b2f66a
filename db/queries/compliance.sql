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
-- Says which shop a record is for. Zero rows: there is no such record.
UPDATE compliance SET client_code = @client_code::text WHERE id = @id;
