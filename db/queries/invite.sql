-- name: InviteGet :one
-- Finds what a link leads to. No row: the list of users is gone. An empty doc_id: no user has this link.
SELECT coalesce(i.doc_id, '')::text AS doc_id, coalesce(i.user_index, 0)::bigint AS user_index,
       coalesce(i.email, '')::text AS email,
       coalesce(i.secret_key_hash, '')::text AS secret_key_hash,
       coalesce(i.is_token_generated, false)::boolean AS is_token_generated,
       coalesce(i.revoked_at IS NOT NULL, false)::boolean AS revoked,
       coalesce(i.expires_at <= now(), false)::boolean AS expired
FROM security_document d
LEFT JOIN invite i ON i.document = d.id AND i.doc_id = @doc_id
    AND EXISTS (SELECT FROM shop c WHERE c.code = i.shop_code AND c.demo_open IS NOT FALSE)
WHERE d.id = 'batchProcessAPI';

-- name: InviteGenerate :execrows
-- Makes the token; no other statement does. Zero rows: another request made it first, or the link has ended.
UPDATE invite SET token_hash = @token_hash, password_hash = @password_hash::text, token_created_at = now()
WHERE doc_id = @doc_id AND token_hash IS NULL AND revoked_at IS NULL AND expires_at > now()
  AND EXISTS (SELECT FROM shop c WHERE c.code = invite.shop_code AND c.demo_open IS NOT FALSE);

-- name: InviteUseToken :one
-- Returns the token's owner, and records the time and address of its use, at most once a minute, so that calls do not wait for each other.
WITH used AS (
    UPDATE invite SET last_used_at = now(), last_used_address = @address
    WHERE token_hash = @token_hash::bytea AND revoked_at IS NULL AND coalesce(last_used_at < now() - interval '1 minute', true)
)
SELECT shop_code, token_hash FROM invite WHERE token_hash = @token_hash::bytea AND revoked_at IS NULL
  AND EXISTS (SELECT FROM shop c WHERE c.code = invite.shop_code AND c.demo_open IS NOT FALSE);

-- name: InviteCreate :one
-- No row: there is no such shop.
INSERT INTO invite (doc_id, shop_code, email, secret_key_hash, expires_at)
SELECT @doc_id, c.code, @email, @secret_key_hash, now() + make_interval(days => @days)
FROM shop c WHERE c.code = @shop_code AND c.demo_open IS NOT FALSE
RETURNING doc_id, shop_code, email, expires_at;

-- name: InviteCreateDemo :exec
INSERT INTO invite (doc_id, shop_code, email, secret_key_hash, expires_at)
VALUES (@doc_id, @shop_code, @email, @secret_key_hash, now() + interval '100 years')
ON CONFLICT (doc_id) DO NOTHING;

-- name: InviteList :many
SELECT doc_id, user_index, shop_code, email, is_token_generated, token_created_at, created_at, expires_at, revoked_at,
       last_used_at, last_used_address, (expires_at <= now())::boolean AS expired
FROM invite ORDER BY user_index;

-- name: InviteRevoke :execrows
UPDATE invite SET revoked_at = coalesce(revoked_at, now()) WHERE doc_id = @doc_id;

-- name: InviteReissue :one
-- Gives the same user a new link and a new secret key. The old link and its token end.
UPDATE invite
SET doc_id = @new_doc_id, secret_key_hash = @secret_key_hash, password_hash = NULL, token_hash = NULL, token_created_at = NULL,
    expires_at = now() + make_interval(days => @days), revoked_at = NULL, last_used_at = NULL, last_used_address = ''
WHERE doc_id = @doc_id
RETURNING doc_id, shop_code, email, expires_at;
