-- name: PasswordResetAdd :exec
-- Adds a link in place of older ones of the account.
WITH older AS (DELETE FROM password_reset WHERE account_id = @account_id)
INSERT INTO password_reset (token_hash, account_id, expires_at) VALUES (@token_hash, @account_id, now() + @works_for::interval);

-- name: PasswordResetFind :one
SELECT a.id, a.email FROM password_reset r JOIN account a ON a.id = r.account_id
WHERE r.token_hash = @token_hash AND r.used_at IS NULL AND r.expires_at > now() AND a.demo_open IS NOT FALSE;

-- name: PasswordResetUse :one
-- Uses a link and returns its account. No row: the link was used, has expired or never existed.
UPDATE password_reset SET used_at = now()
WHERE token_hash = @token_hash AND used_at IS NULL AND expires_at > now()
  AND EXISTS (SELECT FROM account a WHERE a.id = account_id AND a.demo_open IS NOT FALSE)
RETURNING account_id;

-- name: PasswordResetPrune :execrows
WITH old AS (SELECT token_hash FROM password_reset WHERE expires_at < now() - interval '1 day' LIMIT @at_most FOR UPDATE SKIP LOCKED)
DELETE FROM password_reset USING old WHERE password_reset.token_hash = old.token_hash;
