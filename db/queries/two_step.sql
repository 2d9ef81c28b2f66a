-- name: TotpStart :execrows
-- Zero rows: the account already has confirmed codes, or is one of the demo's, which everybody shares.
INSERT INTO totp AS t (account_id, sealed, setup_by)
SELECT a.id, @sealed, @setup_by FROM account a WHERE a.id = @account_id AND a.demo_open IS NULL
ON CONFLICT (account_id) DO UPDATE SET sealed = excluded.sealed, setup_by = excluded.setup_by, created_at = now()
WHERE t.confirmed_at IS NULL;

-- name: TotpPending :one
-- Returns the key that a session is setting up, or with which it is replacing the present one.
SELECT (CASE WHEN confirmed_at IS NULL THEN sealed ELSE next_sealed END)::bytea AS sealed, (confirmed_at IS NOT NULL)::boolean AS moving
FROM totp
WHERE account_id = @account_id AND CASE WHEN confirmed_at IS NULL THEN setup_by = @setup_by AND created_at > now() - @works_for::interval
    ELSE next_by = @setup_by AND next_at > now() - @works_for::interval END;

-- name: TotpConfirm :execrows
-- Zero rows: somebody else confirmed or replaced it, or the set-up was started again since.
UPDATE totp SET sealed = @sealed, confirmed_at = coalesce(confirmed_at, now()), last_step = @step, next_sealed = NULL, next_by = NULL, next_at = NULL
WHERE account_id = @account_id AND CASE WHEN confirmed_at IS NULL THEN setup_by = @setup_by AND sealed = @sealed
    ELSE next_by = @setup_by AND next_sealed = @sealed END;

-- name: TotpLock :one
-- Locks the codes of an account: only the holder of the lock uses or changes them.
SELECT sealed, last_step FROM totp WHERE account_id = @account_id AND confirmed_at IS NOT NULL FOR UPDATE;

-- name: TotpOn :one
SELECT EXISTS (SELECT FROM totp WHERE account_id = @account_id AND confirmed_at IS NOT NULL);

-- name: TwoStepGet :one
-- Returns what an account has beside its password, and whether it must have something.
SELECT EXISTS (SELECT FROM totp t WHERE t.account_id = a.id AND t.confirmed_at IS NOT NULL)::boolean AS "on",
    (SELECT count(*) FROM recovery_code r WHERE r.account_id = a.id AND r.used_at IS NULL)::int AS left,
    needs_two_step(a.id)::boolean AS needed, has_second_step(a.id)::boolean AS asked,
    (SELECT count(*) FROM passkey p WHERE p.account_id = a.id)::int AS passkeys, (a.demo_open IS NOT NULL)::boolean AS shared
FROM account a WHERE a.id = @account_id;

-- name: TwoStepNeeded :one
-- Reports whether the account must have a second step.
SELECT needs_two_step(@account_id)::boolean;

-- name: TotpMove :execrows
-- Begins to replace the key. Zero rows: the account has none.
UPDATE totp SET next_sealed = @sealed, next_by = @setup_by, next_at = now() WHERE account_id = @account_id AND confirmed_at IS NOT NULL;

-- name: TotpSpend :execrows
-- Uses the code of a step. Zero rows: the code was used, or another key has replaced this one.
UPDATE totp SET last_step = @step
WHERE account_id = @account_id AND sealed = @sealed AND confirmed_at IS NOT NULL AND last_step < @step;

-- name: TotpDrop :execrows
-- Ends the second step of an account, with its recovery codes.
WITH codes AS (DELETE FROM recovery_code WHERE account_id = @account_id::uuid)
DELETE FROM totp WHERE account_id = @account_id::uuid AND confirmed_at IS NOT NULL;

-- name: TotpEvict :one
-- Deletes the key of one-time codes, confirmed or not, after waiting for a confirmation in progress. No row: there was none.
DELETE FROM totp WHERE account_id = @account_id RETURNING (confirmed_at IS NOT NULL)::boolean AS confirmed;

-- name: RecoveryCodeDrop :exec
DELETE FROM recovery_code WHERE account_id = @account_id;

-- name: TotpPrune :execrows
-- Deletes keys that nobody confirmed.
WITH old AS (
    SELECT account_id FROM totp WHERE confirmed_at IS NULL AND created_at < now() - @works_for::interval LIMIT @at_most FOR UPDATE SKIP LOCKED
)
DELETE FROM totp USING old WHERE totp.account_id = old.account_id;

-- name: RecoveryCodePut :exec
-- Replaces the recovery codes of an account.
WITH older AS (DELETE FROM recovery_code WHERE account_id = @account_id::uuid)
INSERT INTO recovery_code (account_id, code_hash) SELECT @account_id::uuid, unnest(@hashes::bytea[]);

-- name: RecoveryCodeSpend :execrows
UPDATE recovery_code SET used_at = now() WHERE account_id = @account_id AND code_hash = @code_hash AND used_at IS NULL;

-- name: RecoveryCodeLeft :one
SELECT count(*) FROM recovery_code WHERE account_id = @account_id AND used_at IS NULL;

-- name: HalfSessionAdd :exec
INSERT INTO half_session (id_hash, account_id) VALUES (@id_hash, @account_id);

-- name: HalfSessionGet :one
SELECT a.id, a.email, a.name, a.staff FROM half_session h JOIN account a ON a.id = h.account_id
WHERE h.id_hash = @id_hash AND h.created_at > now() - @works_for::interval AND a.demo_open IS NOT FALSE;

-- name: HalfSessionEnd :execrows
DELETE FROM half_session WHERE id_hash = @id_hash AND created_at > now() - @works_for::interval;

-- name: HalfSessionEndAll :exec
DELETE FROM half_session WHERE account_id = @account_id;

-- name: HalfSessionPrune :execrows
WITH old AS (SELECT id_hash FROM half_session WHERE created_at < now() - @works_for::interval LIMIT @at_most FOR UPDATE SKIP LOCKED)
, gone AS (DELETE FROM half_session USING old WHERE half_session.id_hash = old.id_hash RETURNING half_session.account_id, half_session.created_at)
-- Nobody gave the code, which the account's log says once for each hour.
, counted AS (SELECT account_id, date_trunc('hour', created_at) AS hour, count(*)::int AS often, min(created_at) AS since FROM gone GROUP BY 1, 2)
, folded AS (UPDATE account_event e SET count = e.count + c.often FROM counted c
    WHERE e.account_id = c.account_id AND e.kind = 'no code' AND e.created_at >= c.hour AND e.created_at < c.hour + interval '1 hour'
    RETURNING c.account_id, c.hour)
INSERT INTO account_event (account_id, kind, count, created_at)
SELECT c.account_id, 'no code', c.often, c.since FROM counted c
WHERE NOT EXISTS (SELECT FROM folded f WHERE f.account_id = c.account_id AND f.hour = c.hour);
