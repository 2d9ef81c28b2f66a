-- name: ShopLock :one
-- Serialises changes of a shop's team until the transaction ends. Orders and payments do not wait.
SELECT c.code FROM shop c WHERE c.code = @code FOR NO KEY UPDATE;

-- name: TeamList :many
-- The team of a shop, in the order they joined.
SELECT a.id, a.email, a.name, m.role, m.joined_at FROM shop_member m JOIN account a ON a.id = m.account_id
WHERE m.shop_code = @shop_code ORDER BY m.joined_at, a.email;

-- name: TeamGet :one
SELECT a.email, m.role, m.joined_at FROM shop_member m JOIN account a ON a.id = m.account_id
WHERE m.shop_code = @shop_code AND m.account_id = @account_id;

-- name: TeamOwnerCount :one
-- Counts the owners of a shop besides one account, and the known ones among them. known tells whether the account is known itself.
SELECT count(*) AS others, count(k.account_id) AS known_others,
    EXISTS (SELECT FROM known_owner e WHERE e.shop_code = @shop_code::text AND e.account_id = @account_id::uuid)::boolean AS known
FROM shop_member m LEFT JOIN known_owner k ON k.shop_code = m.shop_code AND k.account_id = m.account_id
WHERE m.shop_code = @shop_code::text AND m.account_id <> @account_id::uuid AND m.role = 'owner';

-- name: TeamPut :exec
-- Sets a role on the team. joined_at, if given, keeps the time at which the person joined.
INSERT INTO shop_member (shop_code, account_id, role, joined_at)
VALUES (@shop_code, @account_id, @role, coalesce(sqlc.narg(joined_at)::timestamptz, now()))
ON CONFLICT (shop_code, account_id) DO UPDATE SET role = excluded.role;

-- name: TeamJoin :exec
-- Adds an invited person. A person who has joined the team meanwhile keeps their role.
INSERT INTO shop_member (shop_code, account_id, role) VALUES (@shop_code, @account_id, @role) ON CONFLICT DO NOTHING;

-- name: TeamHandOver :exec
-- Gives the compliance records of the business to its other owners, so that none is left without an admin: if an application was
-- accepted, to the known ones.
INSERT INTO compliance_admin (compliance_id, account_id)
SELECT c.compliance_id, o.account_id
FROM compliance_admin c
JOIN compliance r ON r.id = c.compliance_id AND r.shop_code = @code::text
JOIN shop_member o ON o.shop_code = r.shop_code AND o.role = 'owner' AND o.account_id <> c.account_id
WHERE c.account_id = @owner::uuid
  AND (r.applicant IS NULL OR EXISTS (SELECT FROM known_owner k WHERE k.shop_code = r.shop_code AND k.account_id = o.account_id))
ON CONFLICT DO NOTHING;

-- name: ShopInviteAdd :one
-- Replaces an older invitation of the same address. Within again_after the old link stays and no other letter is sent, because nobody may
-- flood a mailbox.
INSERT INTO shop_invite (id, shop_code, email, role, invited_by, expires_at)
VALUES (@id, @shop_code, @email, @role, @invited_by, now() + @works_for::interval)
ON CONFLICT (shop_code, email) DO UPDATE
SET role = excluded.role, invited_by = excluded.invited_by, used_at = NULL, expires_at = excluded.expires_at,
    id = CASE WHEN shop_invite.used_at IS NULL AND shop_invite.created_at > now() - @again_after::interval THEN shop_invite.id ELSE excluded.id END,
    token_hash = CASE WHEN shop_invite.used_at IS NULL AND shop_invite.created_at > now() - @again_after::interval THEN shop_invite.token_hash END,
    created_at = CASE WHEN shop_invite.used_at IS NULL AND shop_invite.created_at > now() - @again_after::interval THEN shop_invite.created_at ELSE now() END
RETURNING (id = @id)::boolean AS letter;

-- name: ShopInviteGet :one
-- The pending invitation of an address, and whether its reader is on the team.
SELECT coalesce((SELECT i.role FROM shop_invite i WHERE i.shop_code = @shop_code AND i.email = @email::text AND i.used_at IS NULL AND i.expires_at > now()), '')::text AS role,
    EXISTS (SELECT FROM shop_member m JOIN account a ON a.id = m.account_id WHERE m.shop_code = @shop_code AND a.email = @email::text)::boolean AS member;

-- name: ShopInviteList :many
SELECT email, role, expires_at FROM shop_invite
WHERE shop_code = @shop_code AND used_at IS NULL AND expires_at > now() ORDER BY created_at, email;

-- name: ShopInviteDrop :execrows
DELETE FROM shop_invite WHERE shop_code = @shop_code AND email = @email AND used_at IS NULL;

-- name: ShopInviteSign :one
-- Gives an invitation its token when the letter is written. No row: there is nothing left to write.
UPDATE shop_invite i SET token_hash = @token_hash
FROM shop c, account a
WHERE i.id = @id AND i.used_at IS NULL AND i.expires_at > now() AND c.code = i.shop_code AND a.id = i.invited_by
RETURNING i.email, i.role, c.name AS business, a.email AS invited_by;

-- name: ShopInviteFind :one
SELECT i.shop_code, i.email, i.role, c.name AS business, (i.used_at IS NOT NULL)::boolean AS used,
    EXISTS (SELECT FROM account a WHERE a.email = i.email AND a.demo_open IS NOT FALSE)::boolean AS account
FROM shop_invite i JOIN shop c ON c.code = i.shop_code
WHERE i.token_hash = @token_hash::bytea AND (i.used_at IS NOT NULL OR i.expires_at > now()) AND c.demo_open IS NOT FALSE;

-- name: ShopInviteUse :one
UPDATE shop_invite SET used_at = now()
WHERE token_hash = @token_hash::bytea AND email = @email AND used_at IS NULL AND expires_at > now()
  AND EXISTS (SELECT FROM shop c WHERE c.code = shop_invite.shop_code AND c.demo_open IS NOT FALSE)
RETURNING shop_code, role;

-- name: ShopMemberLock :one
-- Returns the role of an account in a shop, and locks it until the transaction ends.
SELECT m.role FROM shop_member m JOIN shop c ON c.code = m.shop_code
WHERE m.shop_code = @code AND m.account_id = @account_id AND c.demo_open IS NOT FALSE
FOR SHARE OF m;
