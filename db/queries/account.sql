-- name: AccountAdd :execrows
-- Zero rows: the address already has an account.
INSERT INTO account (id, email, name, password_hash, staff, demo_open, verified_at)
VALUES (@id, @email, @name, @password_hash, @staff, sqlc.narg(demo_open), CASE WHEN @verified::boolean THEN now() END)
ON CONFLICT (email) DO NOTHING;

-- name: AccountByEmail :one
-- Demo accounts do not exist while demo mode is off.
SELECT * FROM account WHERE email = @email AND demo_open IS NOT FALSE;

-- name: AccountGet :one
SELECT * FROM account WHERE id = @id AND demo_open IS NOT FALSE;

-- name: AccountList :many
SELECT id, email, name, staff, created_at, verified_at FROM account ORDER BY created_at, id;

-- name: AccountSetPassword :execrows
UPDATE account SET password_hash = @password_hash WHERE id = @id;

-- name: AccountSetName :execrows
UPDATE account SET name = @name WHERE id = @id;

-- name: AccountSetStaff :exec
UPDATE account SET staff = @staff WHERE id = @id;

-- name: ClientAdminAdd :exec
INSERT INTO client_admin (client_code, account_id) VALUES (@client_code, @account_id) ON CONFLICT DO NOTHING;

-- name: AdminRemove :exec
-- Ends every access that an account has to a business: its kitchen, its dashboard, the invitations that the account sent or has not
-- used, and the compliance records that are for it. Of a record that names no business it ends access if another admin of the business
-- shares it, or if the account runs no other business.
WITH m AS (
    SELECT uuid FROM merchant WHERE code = @code::text
), kitchen AS (
    DELETE FROM client_admin WHERE client_code = @code::text AND account_id = @account_id::uuid
), dashboard AS (
    DELETE FROM merchant_admin d USING m WHERE d.merchant_uuid = m.uuid AND d.account_id = @account_id::uuid
), invites AS (
    DELETE FROM merchant_invite i USING m, account a
    WHERE i.merchant_uuid = m.uuid AND i.used_at IS NULL AND a.id = @account_id::uuid AND (i.invited_by = a.id OR i.email = a.email)
), others AS (
    SELECT account_id FROM client_admin WHERE client_code = @code::text AND account_id <> @account_id::uuid
    UNION SELECT d.account_id FROM merchant_admin d JOIN m ON m.uuid = d.merchant_uuid WHERE d.account_id <> @account_id::uuid
), elsewhere AS (
    SELECT FROM client_admin WHERE client_code <> @code::text AND account_id = @account_id::uuid
    UNION ALL SELECT FROM merchant_admin d JOIN merchant o ON o.uuid = d.merchant_uuid WHERE o.code <> @code::text AND d.account_id = @account_id::uuid
)
DELETE FROM compliance_admin c USING compliance r
WHERE r.id = c.compliance_id AND c.account_id = @account_id::uuid
  AND (r.client_code = @code::text
       OR r.client_code IS NULL AND (NOT EXISTS (SELECT FROM elsewhere)
           OR EXISTS (SELECT FROM compliance_admin o JOIN others USING (account_id) WHERE o.compliance_id = c.compliance_id)));

-- name: AccountListAdmins :many
-- Who runs which business.
SELECT account_id, client_code FROM client_admin ORDER BY client_code, account_id;
