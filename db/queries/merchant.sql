-- name: MerchantAdd :execrows
-- Zero rows: the code is taken, or this account already has a merchant of that name.
INSERT INTO merchant (uuid, uid, code, name, signup_info, products, mid)
SELECT @uuid::uuid, @uid::uuid, @code::text, @name::text, @signup_info::jsonb, @products::jsonb, @mid::text
WHERE NOT EXISTS (SELECT FROM shop c WHERE c.code = @code::text)
ON CONFLICT DO NOTHING;

-- name: MerchantByName :one
SELECT * FROM merchant WHERE uid = @uid AND name = @name;

-- name: MerchantLock :one
-- Locks a merchant until the transaction ends, so that nobody else makes its shop or invites an admin. It returns the code of its shop; "" for none.
-- It does not block a transaction that only refers to the merchant.
SELECT coalesce(m.shop_code, '')::text AS shop_code FROM merchant m WHERE m.uuid = @uuid FOR NO KEY UPDATE;

-- name: MerchantShopOfAdmin :one
-- The code of a merchant's shop, "" for none, for one of its admins.
SELECT coalesce(m.shop_code, '')::text AS shop_code FROM merchant_admin a JOIN merchant m ON m.uuid = a.merchant_uuid
WHERE m.uuid = @uuid AND a.account_id = @account_id AND m.demo_open IS NOT FALSE;

-- name: MerchantGet :one
SELECT * FROM merchant WHERE uuid = @uuid AND demo_open IS NOT FALSE;

-- name: MerchantByAccountID :one
SELECT * FROM merchant WHERE mid = @mid AND demo_open IS NOT FALSE;

-- name: MerchantListByAdmin :many
-- SEC-07, SEC-09, ADMIN-34: the merchants whose admins list holds an account, in the order they were made.
SELECT sqlc.embed(m), coalesce(c.currency, '')::text AS currency, coalesce(c.time_zone, '')::text AS time_zone
FROM merchant_admin a JOIN merchant m ON m.uuid = a.merchant_uuid LEFT JOIN shop c ON c.code = m.shop_code
WHERE a.account_id = @account_id AND m.demo_open IS NOT FALSE ORDER BY m.created_at, m.code;

-- name: MerchantKeyPut :execrows
-- Zero rows: another request made the first secret.
UPDATE merchant SET key_sealed = @key_sealed WHERE uuid = @uuid AND key_sealed IS NULL;

-- name: MerchantKeyRotate :execrows
-- The replaced secret works for works_for longer. ends is the one before it, which stops working at once, or null if none still works. Zero
-- rows: somebody else replaced the secret first, so the caller named old ones.
UPDATE merchant
SET old_key_sealed = key_sealed, old_key_until = now() + @works_for::interval, key_sealed = @new_key
WHERE uuid = @uuid AND key_sealed = @was
  AND (old_key_until IS NULL OR old_key_until <= now() OR old_key_sealed = sqlc.narg(ends)::bytea);

-- name: MerchantProductsSave :execrows
-- Zero rows: the merchant is missing, or the account is not one of its admins.
UPDATE merchant m SET products = @products::jsonb
WHERE m.uuid = @uuid AND m.demo_open IS NOT FALSE
  AND EXISTS (SELECT FROM merchant_admin a WHERE a.merchant_uuid = m.uuid AND a.account_id = @account_id);

-- name: MerchantAdminAdd :exec
INSERT INTO merchant_admin (merchant_uuid, account_id) VALUES (@merchant_uuid, @account_id) ON CONFLICT DO NOTHING;

-- name: MerchantAdminDrop :exec
DELETE FROM merchant_admin WHERE merchant_uuid = @merchant_uuid AND account_id = @account_id;

-- name: MerchantAdminList :many
SELECT a.id, a.email, a.name FROM merchant_admin m JOIN account a ON a.id = m.account_id
WHERE m.merchant_uuid = @merchant_uuid ORDER BY a.created_at, a.id;

-- name: ShopMemberJoin :exec
-- Makes a new admin an owner of the shop, too. Nobody else regains access by this.
INSERT INTO shop_member (shop_code, account_id, role)
SELECT m.shop_code::text, @account_id::uuid, 'owner' FROM merchant m WHERE m.uuid = @uuid AND m.shop_code IS NOT NULL
ON CONFLICT (shop_code, account_id) DO UPDATE SET role = 'owner';

-- name: MerchantAdminAddOfShop :exec
-- Makes the owners of a shop the admins of its merchant.
INSERT INTO merchant_admin (merchant_uuid, account_id)
SELECT m.uuid, @account_id::uuid FROM merchant m WHERE m.shop_code = @shop_code::text
ON CONFLICT DO NOTHING;

-- name: MerchantTeamList :many
-- The first team of a merchant's shop: the person who made the merchant, then its admins with a verified address.
SELECT a.id FROM merchant m JOIN merchant_admin x ON x.merchant_uuid = m.uuid JOIN account a ON a.id = x.account_id
WHERE m.uuid = @uuid AND (a.verified_at IS NOT NULL OR a.id = m.uid)
ORDER BY a.id = m.uid DESC, a.created_at, a.id;

-- name: MerchantPutDemo :exec
INSERT INTO merchant (uuid, uid, code, name, products, mid, created_at, demo_open)
VALUES (@uuid, @uid, @code, @name, @products, @mid, '2025-01-01', true)
ON CONFLICT DO NOTHING;
