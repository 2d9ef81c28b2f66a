-- name: ShopEventAdd :exec
-- Adds an event that no trigger writes, once. Its amount may be null.
INSERT INTO shop_event (shop_code, subject, kind, about, detail, amount_minor, currency, test_mode)
SELECT t.shop_code, t.id, @kind, @about, @detail, sqlc.narg(amount_minor)::bigint, t.currency, t.test_mode
FROM transaction t WHERE t.id = @transaction_id AND NOT EXISTS (
    SELECT FROM shop_event e
    WHERE e.shop_code = t.shop_code AND e.subject = t.id AND e.kind = @kind AND e.about = @about AND e.detail = @detail);

-- name: ShopEventOf :many
-- Lists what happened to one subject of a business, in order.
SELECT kind, about, detail, coalesce(amount_minor, 0)::bigint AS amount_minor, currency, happened_at
FROM shop_event WHERE shop_code = @shop_code AND subject = @subject ORDER BY happened_at, id;

-- name: ShopEventLock :one
-- Lets only one process at a time number events.
SELECT pg_try_advisory_xact_lock(@key::bigint);

-- name: ShopEventNumber :many
-- Gives the oldest committed events their numbers. The caller must have taken ShopEventLock in an earlier statement. So these numbers
-- commit before any later ones, and a reader who has seen a number has seen all smaller ones.
WITH waiting AS (
    SELECT w.shop_code, w.id, row_number() OVER (PARTITION BY w.shop_code ORDER BY w.id) AS nth
    FROM (SELECT e.shop_code, e.id FROM shop_event e WHERE e.number IS NULL ORDER BY e.id LIMIT @at_most) w
), last AS (
    INSERT INTO shop_event_last (shop_code, number)
    SELECT w.shop_code, count(*) FROM waiting w GROUP BY w.shop_code
    ON CONFLICT (shop_code) DO UPDATE SET number = shop_event_last.number + excluded.number
    RETURNING shop_event_last.shop_code, shop_event_last.number - (SELECT count(*) FROM waiting v WHERE v.shop_code = shop_event_last.shop_code) AS before
)
UPDATE shop_event SET number = last.before + waiting.nth
FROM waiting JOIN last ON last.shop_code = waiting.shop_code
WHERE shop_event.id = waiting.id AND shop_event.number IS NULL
RETURNING shop_event.shop_code, shop_event.kind, shop_event.number::bigint AS number;

-- name: ShopEventPrune :execrows
-- Deletes only among the oldest events, by the key. After that, the page of a payment shows what its rows say.
DELETE FROM shop_event WHERE id = ANY (ARRAY(
    SELECT o.id FROM (SELECT e.id, e.happened_at FROM shop_event e ORDER BY e.id LIMIT @at_most) o
    WHERE o.happened_at < now() - interval '400 days'));
