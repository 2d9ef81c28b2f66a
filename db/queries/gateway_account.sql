-- name: GatewayAccountPut :exec
INSERT INTO client_account (client_code, live, paylink_mid, pwd_sealed, set_by, tried_at)
VALUES (@client_code, @live, @paylink_mid, @pwd_sealed::bytea, @set_by, sqlc.narg(tried_at))
ON CONFLICT (client_code, live) DO UPDATE
SET paylink_mid = excluded.paylink_mid, paylink_pwd = '', pwd_sealed = excluded.pwd_sealed, set_by = excluded.set_by, set_at = now(),
    tried_at = excluded.tried_at;

-- name: GatewayAccountDrop :execrows
DELETE FROM client_account WHERE client_code = @client_code AND live = @live;

-- name: GatewayAccountListOfShop :many
SELECT live, paylink_mid, pwd_sealed, set_by, set_at, tried_at FROM client_account WHERE client_code = @client_code ORDER BY live;

-- name: GatewayAccountTried :exec
UPDATE client_account SET tried_at = now() WHERE client_code = @client_code AND live = @live;

-- name: GatewayAccountShops :many
-- Businesses by name: those that lack an account for live payments, those that have one, or all.
SELECT c.code, c.name, c.live, c.created_at, (t.client_code IS NOT NULL)::boolean AS has_test, (l.client_code IS NOT NULL)::boolean AS has_live
FROM client c
LEFT JOIN client_account t ON t.client_code = c.code AND NOT t.live
LEFT JOIN client_account l ON l.client_code = c.code AND l.live
WHERE c.demo_open IS NOT FALSE AND (@state::text = '' OR (@state::text = 'connected') = (l.client_code IS NOT NULL))
ORDER BY c.name, c.code
LIMIT @at_most::int OFFSET @skipped::int;

-- name: GatewayAccountCount :one
SELECT count(l.client_code) AS connected, count(*) - count(l.client_code) AS missing
FROM client c LEFT JOIN client_account l ON l.client_code = c.code AND l.live
WHERE c.demo_open IS NOT FALSE;

-- name: GatewayAccountPlain :many
-- Lists passwords that an earlier version stored as plain text.
SELECT client_code, live, paylink_pwd FROM client_account WHERE paylink_pwd <> '' FOR UPDATE;

-- name: GatewayAccountSeal :exec
UPDATE client_account SET pwd_sealed = @pwd_sealed::bytea, paylink_pwd = '' WHERE client_code = @client_code AND live = @live;
