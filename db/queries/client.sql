-- name: ClientGet :one
SELECT * FROM client WHERE code = $1;

-- name: ClientList :many
SELECT code, name, tagline, live, accent, logo FROM client ORDER BY created_at, code;

-- name: ClientPut :exec
INSERT INTO client (code, name, tagline, live, accent, logo, abn, mail, pl_name)
VALUES (@code, @name, @tagline, @live, @accent, @logo, @abn, @mail, @pl_name)
ON CONFLICT (code) DO NOTHING;

-- name: ClientAccountGet :one
-- PAY-52: the account set that goes with the mode.
SELECT * FROM client_account WHERE client_code = @client_code AND live = @live;

-- name: ClientAccountPut :exec
INSERT INTO client_account (client_code, live, paylink_mid, paylink_pwd)
VALUES (@client_code, @live, @paylink_mid, @paylink_pwd)
ON CONFLICT (client_code, live) DO NOTHING;
