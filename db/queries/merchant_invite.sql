-- name: MerchantInviteAdd :one
-- Invalidates the older link of the same address. No row: the last request was less than again_after ago, because nobody may flood a
-- mailbox.
INSERT INTO merchant_invite (id, merchant_uuid, email, invited_by, expires_at)
VALUES (@id, @merchant_uuid, @email, @invited_by, now() + @works_for::interval)
ON CONFLICT (merchant_uuid, email) DO UPDATE
SET id = excluded.id, token_hash = NULL, invited_by = excluded.invited_by, created_at = now(), expires_at = excluded.expires_at, used_at = NULL
WHERE merchant_invite.created_at < now() - @again_after::interval OR merchant_invite.used_at IS NOT NULL
RETURNING id;

-- name: MerchantInviteSign :one
-- Gives an invitation its token when the letter is written. No row: there is nothing left to write.
UPDATE merchant_invite i SET token_hash = @token_hash
FROM merchant m, account a
WHERE i.id = @id AND i.used_at IS NULL AND i.expires_at > now() AND m.uuid = i.merchant_uuid AND a.id = i.invited_by
RETURNING i.email, m.name AS merchant, a.email AS invited_by;

-- name: MerchantInviteFind :one
-- used says that somebody accepted the invitation. The row is returned for as long as the link would have worked.
SELECT i.email, m.name AS merchant, m.uuid, (i.used_at IS NOT NULL)::boolean AS used
FROM merchant_invite i JOIN merchant m ON m.uuid = i.merchant_uuid
WHERE i.token_hash = @token_hash::bytea AND i.expires_at > now() AND m.demo_open IS NOT FALSE;

-- name: MerchantInviteUse :one
-- The merchant has to be locked, or its shop may be made meanwhile.
UPDATE merchant_invite SET used_at = now()
WHERE token_hash = @token_hash::bytea AND email = @email AND used_at IS NULL AND expires_at > now()
  AND EXISTS (SELECT FROM merchant m WHERE m.uuid = merchant_invite.merchant_uuid AND m.demo_open IS NOT FALSE)
RETURNING merchant_uuid, coalesce((SELECT m.shop_code FROM merchant m WHERE m.uuid = merchant_invite.merchant_uuid), '')::text AS shop_code;

-- name: MerchantInviteList :many
SELECT email, expires_at FROM merchant_invite
WHERE merchant_uuid = @merchant_uuid AND used_at IS NULL AND expires_at > now() ORDER BY created_at;
