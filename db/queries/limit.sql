-- name: LimitKeyGet :one
-- Returns the key of the day, and whether the transaction is free and live, so that an attempt to pay it counts.
SELECT secret, EXISTS (SELECT FROM transaction t
    WHERE t.id = @transaction_id AND t.shop_code = @shop_code AND t.status = 'new' AND NOT t.test_mode) AS counts
FROM limit_address WHERE address = '\x' AND since > now() - interval '1 day';

-- name: LimitKeyMake :exec
-- The first process that needs a key makes it and replaces yesterday's.
INSERT INTO limit_address AS l (address, secret) VALUES ('\x', @secret)
ON CONFLICT (address) DO UPDATE SET secret = excluded.secret, since = now() WHERE l.since <= now() - interval '1 day';

-- name: LimitCount :execrows
-- Counts a live try as declined before it is claimed and sent, so that tries at the same time get no further than tries in turn. Tries from
-- one address wait for each other at its row, but not for a disk, since the counts need not survive a crash; that is why this is not part
-- of the claim. limit_settle takes back the count of a try that was not declined. Zero rows: a limit is reached. card is -1 if the number
-- is not known. Declines hold back an address if they are more than half of its payments. Those of a business do so, too, but only for
-- addresses that had a decline there.
WITH testing AS (
    SELECT merchant.declined >= @merchant_limit::bigint AND 2 * merchant.declined > CASE WHEN merchant.declined >= @merchant_limit::bigint THEN (
        SELECT count(*) FROM attempt a
        WHERE a.shop_code = @shop_code AND NOT a.test_mode AND a.settled_at > now() - @limit_window::interval
    ) ELSE 0 END AS cards
    FROM (
        SELECT count(*) AS declined FROM attempt a
        WHERE a.shop_code = @shop_code AND NOT a.test_mode AND a.state = 'declined' AND a.settled_at > now() - @limit_window::interval
    ) merchant
), quick AS (
    SELECT set_config('synchronous_commit', 'off', true)
), l AS (
    INSERT INTO limit_address AS l (address, open, cards) SELECT @address, 1, ARRAY[@card::smallint] FROM quick
    ON CONFLICT (address) DO UPDATE SET
        since    = CASE WHEN l.since > now() - @limit_window::interval THEN l.since ELSE now() END,
        open     = CASE WHEN l.since > now() - @limit_window::interval THEN l.open + 1 ELSE 1 END,
        declined = CASE WHEN l.since > now() - @limit_window::interval THEN l.declined ELSE 0 END,
        approved = CASE WHEN l.since > now() - @limit_window::interval THEN l.approved ELSE 0 END,
        cards    = CASE WHEN l.since > now() - @limit_window::interval THEN l.cards || excluded.cards ELSE excluded.cards END,
        shops    = CASE WHEN l.since > now() - @limit_window::interval THEN l.shops ELSE '{}' END
    WHERE l.since <= now() - @limit_window::interval
       OR (l.open + l.declined < @address_limit::int OR l.open + l.declined <= l.approved)
      AND (@card::smallint < 0 OR cardinality(array_positions(l.cards, @card::smallint)) < @card_limit::int)
      AND NOT (@shop_code = ANY (l.shops) AND (SELECT testing.cards FROM testing))
    RETURNING l.address
)
INSERT INTO limit_try (attempt, address, card) SELECT @id, l.address, @card::smallint FROM l;

-- name: LimitSettle :exec
-- Makes the count of a try agree with the outcome of its attempt, and stops counting a paid order as unpaid. Like LimitCount, it runs in a
-- separate transaction.
SELECT set_config('synchronous_commit', 'off', true), limit_settle(@attempt), origin_settle(@transaction_id);

-- name: LimitSettleLeft :execrows
-- Settles the tries that a killed program left behind.
SELECT limit_settle(r.attempt) FROM limit_try r LEFT JOIN attempt a ON a.id = r.attempt
WHERE r.since < now() - interval '2 minutes' AND (r.open OR a.id IS NULL OR a.state IN ('approved', 'declined', 'not_charged'))
LIMIT @at_most;

-- name: OriginSettleLeft :execrows
-- Does the same for paid orders, including those that an import found to be paid.
SELECT origin_settle(transaction_id) FROM paid_origin LIMIT @at_most;

-- name: LimitGet :one
-- Returns the counts that apply to a payer, to explain why a claim failed; the claim itself decides. In test mode only those of the
-- transaction do, and twenty declines count as one.
SELECT coalesce(l.open, 0)::int AS open, coalesce(l.declined, 0)::int AS declined, coalesce(l.approved, 0)::int AS approved,
       coalesce(cardinality(array_positions(l.cards, @card::smallint)), 0)::int AS by_card,
       (SELECT count(*) FROM limit_try r WHERE r.address = @address AND r.card = @card AND r.open)::int AS by_card_open,
       coalesce(t.shop_code = ANY (l.shops), false)::boolean AS declined_here,
       coalesce(extract(epoch FROM l.since - now() + @limit_window::interval), 0)::float8 AS wait_seconds,
       (tries.declined / CASE WHEN t.test_mode THEN 20 ELSE 1 END)::int AS by_transaction,
       coalesce(extract(epoch FROM tries.first - now() + @limit_window::interval), 0)::float8 AS transaction_wait_seconds
FROM transaction t
CROSS JOIN LATERAL (
    SELECT count(*) AS declined, min(a.settled_at) AS first FROM attempt a
    WHERE a.transaction_id = t.id AND attempt_failed(a.state, a.redirect_url) AND a.settled_at > now() - @limit_window::interval
) tries
LEFT JOIN limit_address l ON l.address = @address AND l.since > now() - @limit_window::interval AND NOT t.test_mode
WHERE t.id = @transaction_id AND t.shop_code = @shop_code;

-- name: LimitPrune :execrows
WITH old AS (
    SELECT address FROM limit_address
    WHERE since < now() - CASE WHEN secret IS NULL THEN @limit_window::interval ELSE interval '1 day' END
    LIMIT @at_most FOR UPDATE SKIP LOCKED
)
DELETE FROM limit_address USING old WHERE limit_address.address = old.address;

-- name: LimitTryPrune :execrows
WITH old AS (
    SELECT attempt FROM limit_try WHERE since < now() - @limit_window::interval LIMIT @at_most FOR UPDATE SKIP LOCKED
)
DELETE FROM limit_try USING old WHERE limit_try.attempt = old.attempt;
