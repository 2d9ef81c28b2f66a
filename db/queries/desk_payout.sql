-- name: DeskPayouts :many
-- Lists the payouts to a business that come after a moment and a number, newest first.
SELECT sqlc.embed(p), EXISTS (SELECT FROM payout_in_doubt d WHERE d.payout = p.number)::boolean AS in_doubt
FROM payout p
WHERE p.shop_code = @shop_code AND p.test_mode = @test_mode AND (p.paid_at, p.number) < (@before_at::timestamptz, @before_number::bigint)
ORDER BY p.paid_at DESC, p.number DESC LIMIT @at_most;

-- name: DeskPayoutGet :one
SELECT sqlc.embed(p), EXISTS (SELECT FROM payout_in_doubt d WHERE d.payout = p.number)::boolean AS in_doubt
FROM payout p WHERE p.number = @number AND p.shop_code = @shop_code;

-- name: DeskPayoutSums :many
-- Adds up a payout to a business by our books, by kind; lines that are unknown here come to nothing.
SELECT l.kind, count(*) AS lines, coalesce(sum(l.amount_minor), 0)::bigint AS amount_minor
FROM payout p JOIN payout_part l ON l.payout = p.number
WHERE p.number = @number AND p.shop_code = @shop_code
GROUP BY l.kind ORDER BY l.kind;

-- name: DeskPayoutLines :many
-- Lists the lines of a payout to a business after a given one, in the gateway's order. A line that matches no movement of the business has
-- no transaction.
SELECT l.line_no, l.kind, coalesce(l.transaction_id, '')::text AS transaction_id, coalesce(l.amount_minor, 0)::bigint AS amount_minor,
       p.currency, l.moved_at, coalesce(l.method, '')::text AS method, coalesce(a.card_brand, '')::text AS card_brand,
       coalesce(a.card_last_four, '')::text AS card_last_four
FROM payout p JOIN payout_part l ON l.payout = p.number
LEFT JOIN attempt a ON a.id = CASE WHEN l.kind IN ('capture', 'taken', 'returned') THEN l.reference::uuid END
WHERE p.number = @number AND p.shop_code = @shop_code AND l.line_no > @after_line
ORDER BY l.line_no LIMIT @at_most;

-- name: DeskPayoutsKnown :one
-- Reports whether the gateway has ever listed payouts. Only then do we know which movements no payout contains.
SELECT EXISTS (SELECT FROM ledger_mark WHERE kind = 'owed');

-- name: DeskOwedSums :many
-- Adds up what a business is owed, by kind and currency, and returns since when.
SELECT o.kind, o.currency, count(*) AS movements, coalesce(sum(o.amount_minor), 0)::bigint AS amount_minor, min(o.moved_at)::timestamptz AS since
FROM owed o WHERE o.shop_code = @shop_code AND o.test_mode = @test_mode
GROUP BY o.kind, o.currency;

-- name: DeskOwedList :many
-- Lists what a business is owed after a moment and an id, oldest first.
SELECT o.id, o.kind, o.transaction_id::text AS transaction_id, o.amount_minor, o.currency, o.moved_at, o.late::boolean AS late
FROM owed o
WHERE o.shop_code = @shop_code AND o.test_mode = @test_mode AND (o.moved_at, o.id) > (@after_at::timestamptz, @after_id::uuid)
ORDER BY o.moved_at, o.id LIMIT @at_most;

-- name: DeskDisputesOpen :many
-- The open disputes of a business, nearest deadline first.
SELECT d.*, a.method, a.card_brand, a.card_last_four, a.settled_at AS paid_at
FROM dispute d JOIN attempt a ON a.id = d.attempt_id
WHERE d.shop_code = @shop_code AND d.test_mode = @test_mode AND d.state = 'opened'
ORDER BY d.due_at NULLS LAST, d.opened_at, d.attempt_id LIMIT @at_most;

-- name: DeskDisputesEnded :many
-- Lists the ended disputes of a business that come after a moment and an attempt, latest first.
SELECT d.*, a.method, a.card_brand, a.card_last_four, a.settled_at AS paid_at
FROM dispute d JOIN attempt a ON a.id = d.attempt_id
WHERE d.shop_code = @shop_code AND d.test_mode = @test_mode AND d.state <> 'opened'
  AND (d.ended_at, d.attempt_id) < (@before_at::timestamptz, @before_id::uuid)
ORDER BY d.ended_at DESC, d.attempt_id DESC LIMIT @at_most;

-- name: DeskDisputeGet :one
SELECT d.*, a.method, a.card_brand, a.card_last_four, a.settled_at AS paid_at
FROM dispute d JOIN attempt a ON a.id = d.attempt_id
WHERE d.attempt_id = @attempt_id AND d.shop_code = @shop_code;
