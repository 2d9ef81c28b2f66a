-- name: AccountAdd :execrows
-- Zero rows: the address has an account.
INSERT INTO account (id, email, name, password_hash, staff, demo_open)
VALUES (@id, @email, @name, @password_hash, @staff, sqlc.narg(demo_open))
ON CONFLICT (email) DO NOTHING;

-- name: AccountByEmail :one
-- A demo account is none while demo mode is off.
SELECT * FROM account WHERE email = @email AND demo_open IS NOT FALSE;

-- name: AccountGet :one
SELECT * FROM account WHERE id = @id AND demo_open IS NOT FALSE;

-- name: AccountList :many
SELECT id, email, name, staff, created_at FROM account ORDER BY created_at, id;

-- name: AccountSetPassword :execrows
UPDATE account SET password_hash = @password_hash WHERE id = @id;

-- name: AccountSetName :execrows
UPDATE account SET name = @name WHERE id = @id;

-- name: AccountSetStaff :execrows
UPDATE account SET staff = @staff WHERE email = @email AND demo_open IS NOT FALSE;

-- name: ClientAdminAdd :exec
INSERT INTO client_admin (client_code, account_id) VALUES (@client_code, @account_id) ON CONFLICT DO NOTHING;

-- name: ClientAdminRemove :execrows
DELETE FROM client_admin WHERE client_code = @client_code AND account_id = @account_id;

-- name: ClientAdminIs :one
SELECT EXISTS (
    SELECT FROM client_admin a JOIN client c ON c.code = a.client_code
    WHERE a.client_code = @client_code AND a.account_id = @account_id AND c.demo_open IS NOT FALSE);

-- name: AccountListAdmins :many
-- Who runs which business.
SELECT account_id, client_code FROM client_admin ORDER BY client_code, account_id;
