-- name: VerificationAdd :exec
INSERT INTO verification (token_hash, account_id, expires_at) VALUES (@token_hash, @account_id, now() + @works_for::interval);

-- name: VerificationFind :one
SELECT a.id, a.email FROM verification v JOIN account a ON a.id = v.account_id
WHERE v.token_hash = @token_hash AND v.expires_at > now() AND a.demo_open IS NOT FALSE;

-- name: AccountVerify :exec
-- Records that the person reads the mail of the address. A person who runs merchants then owns their shops, too, except those whose application
-- was accepted.
WITH verified AS (
    UPDATE account a SET verified_at = now() WHERE a.id = @id AND a.verified_at IS NULL RETURNING a.id
)
INSERT INTO shop_member (shop_code, account_id, role)
SELECT m.shop_code::text, v.id, 'owner'
FROM verified v JOIN merchant_admin x ON x.account_id = v.id JOIN merchant m ON m.uuid = x.merchant_uuid
WHERE m.shop_code IS NOT NULL AND NOT EXISTS (SELECT FROM known_owner k WHERE k.shop_code = m.shop_code)
ON CONFLICT (shop_code, account_id) DO UPDATE SET role = 'owner';

-- name: AccountVerified :one
SELECT (verified_at IS NOT NULL)::boolean FROM account WHERE id = @id;

-- name: VerificationPrune :execrows
WITH old AS (SELECT token_hash FROM verification WHERE expires_at < now() LIMIT @at_most FOR UPDATE SKIP LOCKED)
DELETE FROM verification USING old WHERE verification.token_hash = old.token_hash;
