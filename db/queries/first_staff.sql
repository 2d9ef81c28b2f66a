-- name: FirstStaffOffer :execrows
-- Zero rows: a staff account exists. An older link stops working.
INSERT INTO first_staff (token_hash, expires_at)
SELECT @token_hash::bytea, now() + @works_for::interval
WHERE NOT EXISTS (SELECT FROM account WHERE staff AND demo_open IS NOT FALSE)
ON CONFLICT (only_one) DO UPDATE SET token_hash = excluded.token_hash, expires_at = excluded.expires_at;

-- name: FirstStaffFind :one
SELECT EXISTS (
    SELECT FROM first_staff WHERE token_hash = @token_hash AND expires_at > now()
      AND NOT EXISTS (SELECT FROM account WHERE staff AND demo_open IS NOT FALSE));

-- name: FirstStaffUse :execrows
-- Zero rows: the link was used, has expired or never existed, or there is a staff account by now.
DELETE FROM first_staff WHERE token_hash = @token_hash AND expires_at > now()
  AND NOT EXISTS (SELECT FROM account WHERE staff AND demo_open IS NOT FALSE);
