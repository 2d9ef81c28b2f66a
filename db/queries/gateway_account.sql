-- name: GatewayAccountPut :exec
INSERT INTO shop_account (shop_code, live, paylink_mid, pwd_sealed, set_by, tried_at)
VALUES (@shop_code, @live, @paylink_mid, @pwd_sealed::bytea, @set_by, sqlc.narg(tried_at))
ON CONFLICT (shop_code, live) DO UPDATE
SET paylink_mid = excluded.paylink_mid, paylink_pwd = '', pwd_sealed = excluded.pwd_sealed, set_by = excluded.set_by, set_at = now(),
    tried_at = excluded.tried_at;

-- name: GatewayAccountDrop :execrows
DELETE FROM shop_account WHERE shop_code = @shop_code AND live = @live;

-- name: GatewayAccountListOfShop :many
SELECT live, paylink_mid, pwd_sealed, set_by, set_at, tried_at FROM shop_account WHERE shop_code = @shop_code ORDER BY live;

-- name: GatewayAccountTried :exec
UPDATE shop_account SET tried_at = now() WHERE shop_code = @shop_code AND live = @live;

-- name: GatewayAccountShops :many
-- Businesses by name: those that lack an account for live payments, the oldest first, those that have one, or all; only those with a
-- text in their name or code, if there is one.
SELECT c.code, c.name, c.live, c.created_at, (t.shop_code IS NOT NULL)::boolean AS has_test, (l.shop_code IS NOT NULL)::boolean AS has_live
FROM shop c
LEFT JOIN shop_account t ON t.shop_code = c.code AND NOT t.live
LEFT JOIN shop_account l ON l.shop_code = c.code AND l.live
WHERE c.demo_open IS NOT FALSE AND (@state::text = '' OR (@state::text = 'connected') = (l.shop_code IS NOT NULL))
  AND strpos(lower(c.name || ' ' || c.code), lower(@part::text)) > 0
ORDER BY CASE WHEN @state = 'missing' THEN c.created_at END, c.name, c.code
LIMIT @at_most::int OFFSET @skipped::int;

-- name: GatewayAccountCount :one
SELECT count(l.shop_code) AS connected, count(*) - count(l.shop_code) AS missing
FROM shop c LEFT JOIN shop_account l ON l.shop_code = c.code AND l.live
WHERE c.demo_open IS NOT FALSE;

-- name: GatewayAccountPlain :many
-- Lists passwords that an earlier version stored as plain text.
SELECT shop_code, live, paylink_pwd FROM shop_account WHERE paylink_pwd <> '' FOR UPDATE;

-- name: GatewayAccountSeal :exec
UPDATE shop_account SET pwd_sealed = @pwd_sealed::bytea, paylink_pwd = '' WHERE shop_code = @shop_code AND live = @live;
