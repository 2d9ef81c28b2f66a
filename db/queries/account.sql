-- name: AccountAdd :execrows
-- Zero rows: the address already has an account.
INSERT INTO account (id, email, name, password_hash, short_password, staff, demo_open, verified_at)
VALUES (@id, @email, @name, @password_hash, @short_password, @staff, sqlc.narg(demo_open), CASE WHEN @verified::boolean THEN now() END)
ON CONFLICT (email) DO NOTHING;

-- name: AccountByEmail :one
-- Demo accounts do not exist while demo mode is off.
SELECT * FROM account WHERE email = @email AND demo_open IS NOT FALSE;

-- name: AccountGet :one
SELECT * FROM account WHERE id = @id AND demo_open IS NOT FALSE;

-- name: AccountList :many
SELECT id, email, name, staff, created_at, verified_at FROM account WHERE erased_at IS NULL ORDER BY created_at, id;

-- name: AccountSetPassword :execrows
UPDATE account SET password_hash = @password_hash, short_password = @short_password WHERE id = @id;

-- name: AccountRehash :exec
-- Stores what a sign-in found out about the password, unless the password was changed meanwhile.
UPDATE account SET password_hash = @password_hash, short_password = @short_password WHERE id = @id AND password_hash = @was;

-- name: AccountSetName :execrows
UPDATE account SET name = @name WHERE id = @id;

-- name: AccountSetStaff :exec
UPDATE account SET staff = @staff WHERE id = @id;

-- name: StaffLapse :execrows
-- Staff who have not signed in for 90 days are staff no more, until an operator adds them again.
WITH lapsed AS (
    UPDATE account a SET staff = false WHERE a.id IN (
        SELECT o.id FROM account o WHERE o.staff AND o.demo_open IS NULL AND o.created_at < now() - interval '90 days'
          AND NOT EXISTS (SELECT FROM account_event e WHERE e.account_id = o.id AND e.created_at > now() - interval '90 days'
            AND (e.kind LIKE 'signed in%' OR e.kind = 'added to the staff'))
        LIMIT @at_most)
    RETURNING a.id
)
INSERT INTO account_event (account_id, kind) SELECT l.id, 'unused as staff' FROM lapsed l;

-- name: ShopMemberAdd :exec
-- Makes a person an owner, whatever role they had.
INSERT INTO shop_member (shop_code, account_id, role) VALUES (@shop_code, @account_id, 'owner')
ON CONFLICT (shop_code, account_id) DO UPDATE SET role = 'owner';

-- name: ShopMemberPutDemo :exec
-- A person who is already on the team keeps their role.
INSERT INTO shop_member (shop_code, account_id) VALUES (@shop_code, @account_id) ON CONFLICT DO NOTHING;

-- name: AdminRemove :exec
-- Ends every access that an account has to a business: its place on the team, its dashboard, the invitations that the account sent or has
-- not used, and the business's compliance records; of the records that name no business, those that somebody else may open, too, if the
-- account owns no other business. With @screens, the kitchen screens that the account connected end, too, because nobody else can tell who holds them. The caller must hold ShopLock, or an
-- invitation that is being sent may survive.
WITH m AS (
    SELECT uuid FROM merchant WHERE code = @code::text
), kitchen AS (
    DELETE FROM shop_member WHERE shop_code = @code::text AND account_id = @account_id::uuid
), dashboard AS (
    DELETE FROM merchant_admin d USING m WHERE d.merchant_uuid = m.uuid AND d.account_id = @account_id::uuid
), invites AS (
    DELETE FROM merchant_invite i USING m, account a
    WHERE i.merchant_uuid = m.uuid AND i.used_at IS NULL AND a.id = @account_id::uuid AND (i.invited_by = a.id OR i.email = a.email)
), team_invites AS (
    DELETE FROM shop_invite i USING account a
    WHERE i.shop_code = @code::text AND i.used_at IS NULL AND a.id = @account_id::uuid AND (i.invited_by = a.id OR i.email = a.email)
), screens AS (
    UPDATE kitchen_device SET ended_at = now()
    WHERE @screens::boolean AND shop_code = @code::text AND made_by = @account_id::uuid AND ended_at IS NULL
)
DELETE FROM compliance_admin a USING compliance c
WHERE c.id = a.compliance_id AND (c.shop_code = @code::text OR c.shop_code IS NULL
      AND EXISTS (SELECT FROM compliance_admin o WHERE o.compliance_id = c.id AND o.account_id <> a.account_id)
      AND NOT EXISTS (SELECT FROM shop_member o WHERE o.account_id = a.account_id AND o.shop_code <> @code::text AND o.role = 'owner'))
  AND a.account_id = @account_id::uuid;

-- name: AccountListAdmins :many
-- Lists who runs which business.
SELECT account_id, shop_code FROM shop_member ORDER BY shop_code, account_id;

-- name: AccountKnown :one
-- What an account has told us about itself and its business: its name, its oldest shop, the merchant that it made or runs, and the last
-- form that it saved with a business name.
SELECT a.name AS person, coalesce(o.first_name, '')::text AS draft_first, coalesce(o.last_name, '')::text AS draft_last, coalesce(o.name, '')::text AS draft_business,
    coalesce(m.name, '')::text AS merchant, coalesce(m.first, '')::text AS first, coalesce(m.last, '')::text AS last,
    coalesce(c.name, '')::text AS shop, coalesce(c.country_code, '')::text AS country, coalesce(c.time_zone, '')::text AS time_zone,
    coalesce(f.data, '{}')::jsonb AS form
FROM account a
LEFT JOIN onboarding o ON o.account_id = a.id
LEFT JOIN LATERAL (
    SELECT m.name, CASE WHEN m.uid = a.id THEN m.signup_info ->> 'firstName' END AS first, CASE WHEN m.uid = a.id THEN m.signup_info ->> 'lastName' END AS last
    FROM merchant_admin x JOIN merchant m ON m.uuid = x.merchant_uuid
    WHERE x.account_id = a.id AND m.demo_open IS NOT FALSE ORDER BY m.uid = a.id DESC, m.created_at, m.code LIMIT 1
) m ON true
LEFT JOIN LATERAL (
    SELECT c.name, c.country_code, c.time_zone FROM shop_member x JOIN shop c ON c.code = x.shop_code
    WHERE x.account_id = a.id AND c.demo_open IS NOT FALSE ORDER BY c.created_at, c.code LIMIT 1
) c ON true
LEFT JOIN LATERAL (
    SELECT f.data FROM form f WHERE f.account_id = a.id AND coalesce(f.data ->> 'name', '') <> '' ORDER BY f.updated_at DESC LIMIT 1
) f ON true
WHERE a.id = @account_id;
