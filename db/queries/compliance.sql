-- name: ComplianceAdd :execrows
-- Zero rows: the id is taken.
INSERT INTO compliance (id, name) VALUES (@id, @name) ON CONFLICT (id) DO NOTHING;

-- name: ComplianceGet :one
SELECT * FROM compliance WHERE id = @id;

-- name: ComplianceGetOwn :one
-- A record, for one of its admins only.
SELECT c.* FROM compliance c JOIN compliance_admin a ON a.compliance_id = c.id
WHERE c.id = @id AND a.account_id = @account_id;

-- name: ComplianceAdminAdd :exec
INSERT INTO compliance_admin (compliance_id, account_id) VALUES (@compliance_id, @account_id) ON CONFLICT DO NOTHING;

-- name: ComplianceAdminList :many
SELECT a.id, a.email FROM compliance_admin m JOIN account a ON a.id = m.account_id
WHERE m.compliance_id = @compliance_id ORDER BY a.email;
