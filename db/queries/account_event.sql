-- name: AccountEventAdd :exec
-- Records an event of a session; the zero UUID means none. Without a session, address may say where the event came from.
INSERT INTO account_event (account_id, kind, address, agent)
SELECT @account_id, @kind, coalesce(s.address, @address::text), coalesce(s.agent, '')
FROM (SELECT 1) one LEFT JOIN session s ON s.handle = @session AND s.account_id = @account_id;

-- name: AccountEventFold :exec
-- Records a failure, or counts it with those of its kind in the same hour.
WITH folded AS (
    UPDATE account_event SET count = count + 1, address = @address::text WHERE id = (
        SELECT e.id FROM account_event e WHERE e.account_id = @account_id::uuid AND e.kind = @kind::text AND e.created_at >= date_trunc('hour', now())
        ORDER BY e.id DESC LIMIT 1)
    RETURNING id
)
INSERT INTO account_event (account_id, kind, address)
SELECT @account_id::uuid, @kind::text, @address::text WHERE NOT EXISTS (SELECT FROM folded);

-- name: AccountEventList :many
-- Lists the events before an id, newest first; 0 lists all.
SELECT id, kind, address, agent, created_at, count FROM account_event
WHERE account_id = @account_id AND (@before::bigint = 0 OR id < @before) ORDER BY id DESC LIMIT @at_most;

-- name: AccountEventPrune :execrows
WITH old AS (SELECT id FROM account_event WHERE created_at < now() - interval '1 year' LIMIT @at_most FOR UPDATE SKIP LOCKED)
DELETE FROM account_event USING old WHERE account_event.id = old.id;
