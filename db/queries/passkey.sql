-- name: AccountLock :one
-- Locks an account; only the holder of this lock may change how the person signs in. No row: it is one of the demo's accounts, which
-- everybody shares.
SELECT id FROM account WHERE id = @id AND demo_open IS NULL FOR UPDATE;

-- name: SecondStepOn :one
-- Reports whether signing in takes more than the password.
SELECT has_second_step(@account_id)::boolean;

-- name: PasskeyAdd :execrows
-- Zero rows: an account has this passkey already.
INSERT INTO passkey (id, account_id, credential_id, public_key, rp_id, name, flags, sign_count, transports)
VALUES (@id, @account_id, @credential_id, @public_key, @rp_id, @name, @flags, @sign_count, @transports)
ON CONFLICT (credential_id) DO NOTHING;

-- name: PasskeyList :many
SELECT id, credential_id, rp_id, name, transports, created_at, used_at FROM passkey WHERE account_id = @account_id ORDER BY created_at, id;

-- name: PasskeyCount :one
SELECT count(*) FROM passkey WHERE account_id = @account_id;

-- name: PasskeyFind :one
-- Finds the passkey that a browser answers with. It has to belong to the person whom the answer names.
SELECT p.id, p.public_key, p.flags, p.sign_count, p.transports, a.email, a.name, a.staff
FROM passkey p JOIN account a ON a.id = p.account_id
WHERE p.credential_id = @credential_id AND p.account_id = @account_id
  AND p.rp_id = @rp_id AND a.demo_open IS NOT FALSE;

-- name: PasskeyUse :execrows
-- Zero rows: the passkey was removed, or another answer has moved the counter at least as far.
UPDATE passkey SET sign_count = @sign_count, flags = @flags, used_at = now()
WHERE id = @id AND (sign_count < @sign_count OR sign_count = 0 AND @sign_count = 0);

-- name: PasskeyElsewhere :one
-- Counts passkeys of other names than the site's, and the people who need a second step and have no other.
SELECT count(*) AS passkeys, count(DISTINCT p.account_id) FILTER (
    WHERE needs_two_step(p.account_id)
    AND NOT EXISTS (SELECT FROM totp t WHERE t.account_id = p.account_id AND t.confirmed_at IS NOT NULL)
    AND NOT EXISTS (SELECT FROM passkey o WHERE o.account_id = p.account_id AND o.rp_id = @rp_id)
) AS locked_out
FROM passkey p WHERE p.rp_id <> @rp_id;

-- name: PasskeyRename :execrows
UPDATE passkey SET name = @name WHERE id = @id AND account_id = @account_id;

-- name: PasskeyRemove :execrows
DELETE FROM passkey WHERE id = @id AND account_id = @account_id;

-- name: PasskeyRemoveAll :execrows
DELETE FROM passkey WHERE account_id = @account_id;

-- name: PasskeyChallengeUse :execrows
-- Uses up a challenge. No rows: it was used before.
INSERT INTO passkey_challenge (challenge) VALUES (@challenge) ON CONFLICT DO NOTHING;

-- name: PasskeyChallengePrune :execrows
WITH old AS (
    SELECT challenge FROM passkey_challenge WHERE created_at < now() - @works_for::interval LIMIT @at_most FOR UPDATE SKIP LOCKED
)
DELETE FROM passkey_challenge USING old WHERE passkey_challenge.challenge = old.challenge;
