-- name: DeskPayouts :many
-- Lists the payouts to a business that come after a moment and an id, newest first.
SELECT sqlc.embed(p), EXISTS (SELECT FROM payout_in_doubt d WHERE d.payout_id = p.id)::boolean AS in_doubt
FROM payout p
WHERE p.shop_code = @shop_code AND p.test_mode = @test_mode AND (p.paid_at, p.id) < (@before_at::timestamptz, @before_id::text)
ORDER BY p.paid_at DESC, p.id DESC LIMIT @at_most;

-- name: DeskPayoutGet :one
SELECT sqlc.embed(p), EXISTS (SELECT FROM payout_in_doubt d WHERE d.payout_id = p.id)::boolean AS in_doubt
FROM payout p WHERE p.id = @id AND p.shop_code = @shop_code;

-- name: DeskPayoutSums :many
-- Adds up a payout to a business by our books, by kind and currency; lines that are unknown here have no currency. Amounts that the
-- business loses are negative.
SELECT l.kind, coalesce(m.currency, '')::text AS currency, count(*) AS lines, coalesce(sum(m.amount_minor), 0)::bigint AS amount_minor
FROM payout p JOIN payout_line l ON l.payout_id = p.id
LEFT JOIN LATERAL (
    SELECT coalesce(a.captured_minor, a.amount_minor) AS amount_minor, a.currency FROM attempt a WHERE a.id = CASE l.kind WHEN 'capture' THEN l.reference::uuid END
    UNION ALL
    SELECT -f.amount_minor, f.currency FROM refund f WHERE f.id = CASE l.kind WHEN 'refund' THEN l.reference::uuid END
    UNION ALL
    SELECT CASE l.kind WHEN 'dispute' THEN -d.amount_minor ELSE d.amount_minor END, d.currency FROM dispute d
    WHERE d.attempt_id = CASE WHEN l.kind IN ('dispute', 'returned') THEN l.reference::uuid END
    LIMIT 1) m ON true -- each by its key
WHERE p.id = @id AND p.shop_code = @shop_code
GROUP BY l.kind, 2 ORDER BY 2, l.kind;

-- name: DeskPayoutLines :many
-- Lists the lines of a payout to a business after a given one, in the gateway's order. A line that matches no movement of the business has
-- no transaction.
SELECT l.line_no, l.kind, coalesce(a.transaction_id, f.transaction_id, '')::text AS transaction_id,
       coalesce(CASE l.kind WHEN 'capture' THEN coalesce(a.captured_minor, a.amount_minor) WHEN 'refund' THEN -f.amount_minor
           WHEN 'dispute' THEN -d.amount_minor WHEN 'returned' THEN d.amount_minor END, 0)::bigint AS amount_minor,
       coalesce(d.currency, f.currency, a.currency, p.currency)::text AS currency,
       coalesce(f.settled_at, CASE WHEN l.kind = 'capture' THEN a.settled_at ELSE d.opened_at END) AS moved_at,
       coalesce(a.method, '')::text AS method, coalesce(a.card_brand, '')::text AS card_brand, coalesce(a.card_last_four, '')::text AS card_last_four
FROM payout p JOIN payout_line l ON l.payout_id = p.id
LEFT JOIN LATERAL (
    SELECT x.* FROM attempt x WHERE x.id = CASE WHEN l.kind IN ('capture', 'dispute', 'returned') THEN l.reference::uuid END
      AND x.shop_code = p.shop_code LIMIT 1) a ON true -- each by its key
LEFT JOIN LATERAL (
    SELECT x.* FROM refund x WHERE x.id = CASE WHEN l.kind = 'refund' THEN l.reference::uuid END AND x.shop_code = p.shop_code LIMIT 1) f ON true
LEFT JOIN dispute d ON d.attempt_id = a.id AND l.kind IN ('dispute', 'returned')
WHERE p.id = @id AND p.shop_code = @shop_code AND l.line_no > @after_line
ORDER BY l.line_no LIMIT @at_most;

-- name: DeskPayoutsKnown :one
-- Reports whether the gateway has ever listed payouts. Only then do we know which movements no payout contains.
SELECT EXISTS (SELECT FROM ledger_read WHERE kind LIKE 'payout %');

-- name: DeskOwedSums :many
-- Adds up what a business is owed, by kind and currency, and returns since when.
SELECT o.kind, o.currency, count(*) AS movements, coalesce(sum(o.amount_minor), 0)::bigint AS amount_minor, min(o.moved_at)::timestamptz AS since
FROM owed o WHERE o.shop_code = @shop_code AND o.test_mode = @test_mode
GROUP BY o.kind, o.currency;

-- name: DeskOwedList :many
-- Lists what a business is owed after a moment and a reference, oldest first.
SELECT o.reference, o.kind, o.transaction_id, o.amount_minor::bigint AS amount_minor, o.currency, o.moved_at, o.late
FROM owed o
WHERE o.shop_code = @shop_code AND o.test_mode = @test_mode AND (o.moved_at, o.reference) > (@after_at::timestamptz, @after_reference::text)
ORDER BY o.moved_at, o.reference LIMIT @at_most;

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
