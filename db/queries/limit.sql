-- name: LimitKeyGet :one
SELECT secret FROM limit_address WHERE address = '\x' AND since > now() - interval '1 day';

-- name: LimitKeyMake :exec
-- The first process that needs a key makes it and replaces yesterday's.
INSERT INTO limit_address AS l (address, secret) VALUES ('\x', @secret)
ON CONFLICT (address) DO UPDATE SET secret = excluded.secret, since = now() WHERE l.since <= now() - interval '1 day';

-- name: LimitGet :one
-- The counts that apply to a payer, for telling them why a claim took nothing; the claim itself decides. A transaction in test mode
-- has no row.
SELECT coalesce(l.open, 0)::int AS open, coalesce(l.declined, 0)::int AS declined, coalesce(l.approved, 0)::int AS approved,
       coalesce(cardinality(array_positions(l.cards, @card::smallint)), 0)::int AS by_card,
       (SELECT count(*) FROM limit_try r WHERE r.address = @address AND r.card = @card AND r.open)::int AS by_card_open,
       coalesce(t.client_code = ANY (l.clients), false)::boolean AS declined_here,
       coalesce(extract(epoch FROM l.since + interval '1 hour' - now()), 0)::float8 AS wait_seconds,
       tries.declined::int AS by_transaction,
       coalesce(extract(epoch FROM tries.first + interval '1 hour' - now()), 0)::float8 AS transaction_wait_seconds
FROM transaction t
CROSS JOIN LATERAL (
    SELECT count(*) AS declined, min(a.settled_at) AS first FROM attempt a
    WHERE a.transaction_id = t.id AND a.state = 'declined' AND a.settled_at > now() - interval '1 hour'
) tries
LEFT JOIN limit_address l ON l.address = @address AND l.since > now() - interval '1 hour'
WHERE t.id = @transaction_id AND t.client_code = @client_code AND NOT t.test_mode;

-- name: LimitPrune :execrows
WITH old AS (
    SELECT address FROM limit_address
    WHERE since < now() - CASE WHEN secret IS NULL THEN interval '1 hour' ELSE interval '1 day' END
    LIMIT @at_most FOR UPDATE SKIP LOCKED
)
DELETE FROM limit_address USING old WHERE limit_address.address = old.address;

-- name: LimitTryPrune :execrows
WITH old AS (
    SELECT attempt FROM limit_try WHERE since < now() - interval '1 hour' LIMIT @at_most FOR UPDATE SKIP LOCKED
)
DELETE FROM limit_try USING old WHERE limit_try.attempt = old.attempt;
