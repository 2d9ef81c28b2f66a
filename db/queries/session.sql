-- name: SessionAdd :exec
-- Records a sign-in, with its line in the account's log.
-- An account has at most a hundred, and ten thousand lines.
WITH old AS (
    DELETE FROM session WHERE id_hash IN (SELECT o.id_hash FROM session o WHERE o.account_id = @account_id ORDER BY o.seen_at DESC OFFSET 99)
), lines AS (
    DELETE FROM account_event e WHERE e.account_id = @account_id
      AND e.id < (SELECT l.id FROM account_event l WHERE l.account_id = @account_id ORDER BY l.id DESC OFFSET 9998 LIMIT 1)
), one AS (
    INSERT INTO session (id_hash, handle, account_id, address, agent, factor)
    VALUES (@id_hash, @handle, @account_id, @address, @agent, @factor) RETURNING account_id, address, agent, factor
)
INSERT INTO account_event (account_id, kind, address, agent)
SELECT account_id, CASE factor WHEN 'code' THEN 'signed in with a code' WHEN 'recovery' THEN 'signed in with a recovery code'
    WHEN 'passkey' THEN 'signed in with a passkey' ELSE 'signed in' END,
    address, agent FROM one;

-- name: SessionGet :one
-- Returns a session with its person, and whether it has timed out: unused for idle_seconds, or staff_seconds. A session that was opened
-- with a password alone does not count if the account has a second step, nor does one that timed out more than an hour ago: till then it says
-- whose input to keep. A proof of identity is valid for proof_seconds.
SELECT s.handle, s.account_id, s.marks, a.email, a.name, a.staff, (a.verified_at IS NOT NULL)::boolean AS verified,
    (needs_two_step(a.id) AND NOT has_second_step(a.id))::boolean AS unsecured,
    (coalesce(s.proved_at, s.created_at) > now() - make_interval(secs => @proof_seconds))::boolean AS proved,
    (s.seen_at < now() - make_interval(secs => CASE WHEN a.staff THEN @staff_seconds::float8 ELSE @idle_seconds::float8 END))::boolean AS over,
    (s.seen_at < now() - interval '1 minute')::boolean AS stale
FROM session s JOIN account a ON a.id = s.account_id WHERE s.id_hash = @id_hash AND a.demo_open IS NOT FALSE
  AND s.seen_at > now() - make_interval(secs => CASE WHEN a.staff THEN @staff_seconds::float8 ELSE @idle_seconds::float8 END) - interval '1 hour' AND s.created_at > now() - make_interval(secs => @max_seconds)
  AND (s.factor <> '' OR NOT has_second_step(s.account_id));

-- name: SessionTouch :exec
UPDATE session SET seen_at = now() WHERE id_hash = @id_hash AND seen_at < now() - interval '1 minute';

-- name: SessionMark :exec
UPDATE session SET marks = array_append(marks, @mark::text) WHERE id_hash = @id_hash AND NOT marks @> ARRAY[@mark::text];

-- name: SessionEnd :execrows
DELETE FROM session WHERE id_hash = @id_hash;

-- name: SessionEndOwn :execrows
-- Ends one session of an account, by the handle that its owner sees.
DELETE FROM session WHERE handle = @handle AND account_id = @account_id;

-- name: SessionEndAll :execrows
-- Ends the sessions of an account except the one in keep; the zero UUID keeps none.
DELETE FROM session WHERE account_id = @account_id AND handle <> @keep;

-- name: SessionPassed :exec
-- Records that the person of a session has passed a second step, too.
UPDATE session SET factor = @factor WHERE handle = @handle AND account_id = @account_id;

-- name: SessionRaise :execrows
-- Raises a session that was opened with a password alone, once its person has passed a second step. Zero rows: the session has ended.
UPDATE session SET factor = coalesce(nullif(factor, ''), @factor) WHERE handle = @handle AND account_id = @account_id;

-- name: SessionProve :execrows
-- Gives a session a new id after its person has proved who they are. Zero rows: the session has ended.
WITH one AS (
    UPDATE session SET id_hash = @new_hash, proved_at = now(), seen_at = now() WHERE id_hash = @old_hash RETURNING account_id, address, agent
)
INSERT INTO account_event (account_id, kind, address, agent) SELECT account_id, 'confirmed', address, agent FROM one;

-- name: SessionListByAccount :many
-- Sessions that have not timed out, last used first.
SELECT s.handle, s.address, s.agent, s.created_at, s.seen_at, s.factor FROM session s JOIN account a ON a.id = s.account_id
WHERE s.account_id = @account_id
  AND s.seen_at >= now() - make_interval(secs => CASE WHEN a.staff THEN @staff_seconds::float8 ELSE @idle_seconds::float8 END) AND s.created_at >= now() - make_interval(secs => @max_seconds)
ORDER BY s.seen_at DESC, s.handle;

-- name: SessionPrune :execrows
-- A timed-out session says for an hour whose input to keep, and goes within a day.
WITH old AS (SELECT id_hash FROM session WHERE seen_at < now() - interval '1 day' LIMIT @at_most FOR UPDATE SKIP LOCKED)
DELETE FROM session USING old WHERE session.id_hash = old.id_hash;

-- name: SessionOldCount :one
SELECT count(*) FROM session WHERE seen_at < now() - interval '1 day';

-- name: SessionEnds :one
-- Returns the latest time at which a session that has not timed out will end.
SELECT (s.created_at + make_interval(secs => @max_seconds))::timestamptz AS ends FROM session s JOIN account a ON a.id = s.account_id
WHERE s.id_hash = @id_hash
  AND s.seen_at >= now() - make_interval(secs => CASE WHEN a.staff THEN @staff_seconds::float8 ELSE @idle_seconds::float8 END) AND s.created_at >= now() - make_interval(secs => @max_seconds);
