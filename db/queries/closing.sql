-- name: ClosingLock :exec
-- Makes closings of a business wait for each other.
SELECT FROM shop WHERE code = @shop_code FOR NO KEY UPDATE;

-- name: ClosingSeries :one
-- Returns the series that numbers the closings since the last restore.
SELECT coalesce((SELECT to_char(max(r.restored_at) AT TIME ZONE 'UTC', 'YYYYMMDD-HH24MISS') FROM restore r), '')::text;

-- name: ClosingUntil :one
-- Returns a time before which no more movements of a business will be booked.
SELECT movements_until(@shop_code)::timestamptz;

-- name: ClosingCount :many
-- Counts the movements that were booked within a time window. A correction counts no payment or refund.
SELECT m.currency, m.method,
       count(*) FILTER (WHERE m.kind = 'capture' AND NOT m.correction) AS payments,
       coalesce(sum(m.amount_minor) FILTER (WHERE m.kind = 'capture'), 0)::bigint AS taken_minor,
       coalesce(sum(m.gst_minor) FILTER (WHERE m.kind = 'capture'), 0)::bigint AS gst_minor,
       count(*) FILTER (WHERE m.kind = 'refund' AND NOT m.correction) AS refunds,
       coalesce(-sum(m.amount_minor) FILTER (WHERE m.kind = 'refund'), 0)::bigint AS refunds_done_minor,
       coalesce(-sum(m.gst_minor) FILTER (WHERE m.kind = 'refund'), 0)::bigint AS refund_gst_minor,
       count(*) FILTER (WHERE m.kind = 'taken') AS lost,
       coalesce(-sum(m.amount_minor) FILTER (WHERE m.kind = 'taken'), 0)::bigint AS lost_minor,
       count(*) FILTER (WHERE m.kind = 'returned') AS returned,
       coalesce(sum(m.amount_minor) FILTER (WHERE m.kind = 'returned'), 0)::bigint AS returned_minor,
       coalesce(-sum(m.amount_minor) FILTER (WHERE m.kind = 'fee'), 0)::bigint AS fees_minor
FROM movement m
WHERE m.shop_code = @shop_code AND m.test_mode = @test_mode AND m.booked_at >= @since::timestamptz AND m.booked_at < @before::timestamptz
GROUP BY m.currency, m.method ORDER BY m.currency, m.method;

-- name: MovementExtras :many
-- Adds up the surcharges and tips in the payments that were booked and moved within two time windows, and in the refunds that are for them, or
-- with which nothing of a payment was left.
SELECT m.currency, l.kind, coalesce(sum(l.price_minor) FILTER (WHERE m.kind = 'capture'), 0)::bigint AS taken_minor,
       coalesce(sum(l.price_minor) FILTER (WHERE m.kind = 'refund'), 0)::bigint AS back_minor
FROM movement m JOIN order_line l ON l.transaction_id = m.transaction_id AND l.kind <> 'item'
WHERE m.shop_code = @shop_code AND m.test_mode = @test_mode AND m.booked_at >= @booked_since AND m.booked_at < @booked_before
  AND m.moved_at >= @moved_since AND m.moved_at < @moved_before AND NOT m.correction AND (m.kind = 'capture' OR m.kind = 'refund' AND (
      EXISTS (SELECT FROM refund_line x WHERE x.refund_id = m.id AND x.line_no = l.line_no)
      OR NOT EXISTS (SELECT FROM refund_line x JOIN refund r ON r.id = x.refund_id
              WHERE x.transaction_id = l.transaction_id AND x.line_no = l.line_no AND r.state = 'done')
          AND 0 = (SELECT sum(c.amount_minor) FROM movement c WHERE c.transaction_id = m.transaction_id AND c.kind IN ('capture', 'refund')
              AND c.booked_at <= m.booked_at)))
GROUP BY m.currency, l.kind ORDER BY m.currency, l.kind;

-- name: ClosingAdd :exec
INSERT INTO closing (shop_code, test_mode, no, day, since, until_at, time_zone, business, abn, totals, signature, closed_by, series,
    cash_minor, cash_currency)
VALUES (@shop_code, @test_mode, @no, @day, @since, @until_at, @time_zone, @business, @abn, @totals, @signature, @closed_by, @series,
    @cash_minor, @cash_currency);

-- name: ClosingLast :one
SELECT * FROM closing WHERE shop_code = @shop_code AND test_mode = @test_mode ORDER BY no DESC LIMIT 1;

-- name: ClosingGet :one
SELECT * FROM closing WHERE shop_code = @shop_code AND test_mode = @test_mode AND no = @no;

-- name: ClosingList :many
-- The closings of a business before a number, the newest first.
SELECT * FROM closing WHERE shop_code = @shop_code AND test_mode = @test_mode AND no < @before_no::int ORDER BY no DESC LIMIT @at_most;
