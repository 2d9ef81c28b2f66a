-- name: ClientEventAdd :exec
-- Adds an event that no trigger writes. Its amount may be null.
INSERT INTO client_event (client_code, subject, kind, about, detail, amount_minor, currency, test_mode)
SELECT t.client_code, t.id, @kind, @about, @detail, sqlc.narg(amount_minor)::bigint, t.currency, t.test_mode
FROM transaction t WHERE t.id = @transaction_id;

-- name: ClientEventOf :many
-- Lists what happened to one subject of a business, in order.
SELECT kind, about, detail, coalesce(amount_minor, 0)::bigint AS amount_minor, currency, happened_at
FROM client_event WHERE client_code = @client_code AND subject = @subject ORDER BY happened_at, id;

-- name: ClientEventLock :one
-- Lets only one process at a time number events.
SELECT pg_try_advisory_xact_lock(@key::bigint);

-- name: ClientEventNumber :many
-- Gives the oldest committed events their numbers. The caller must have taken ClientEventLock in an earlier statement. So these numbers
-- commit before any later ones, and a reader who has seen a number has seen all smaller ones.
WITH waiting AS (
    SELECT w.client_code, w.id, row_number() OVER (PARTITION BY w.client_code ORDER BY w.id) AS nth
    FROM (SELECT e.client_code, e.id FROM client_event e WHERE e.number IS NULL ORDER BY e.id LIMIT @at_most) w
), last AS (
    INSERT INTO client_event_last (client_code, number)
    SELECT w.client_code, count(*) FROM waiting w GROUP BY w.client_code
    ON CONFLICT (client_code) DO UPDATE SET number = client_event_last.number + excluded.number
    RETURNING client_event_last.client_code, client_event_last.number - (SELECT count(*) FROM waiting v WHERE v.client_code = client_event_last.client_code) AS before
)
UPDATE client_event SET number = last.before + waiting.nth
FROM waiting JOIN last ON last.client_code = waiting.client_code
WHERE client_event.id = waiting.id AND client_event.number IS NULL
RETURNING client_event.client_code, client_event.kind, client_event.number::bigint AS number;

-- name: ClientEventPrune :execrows
-- Deletes only among the oldest events, by the key. After that, the page of a payment shows what its rows say.
DELETE FROM client_event WHERE id = ANY (ARRAY(
    SELECT o.id FROM (SELECT e.id, e.happened_at FROM client_event e ORDER BY e.id LIMIT @at_most) o
    WHERE o.happened_at < now() - interval '400 days'));
