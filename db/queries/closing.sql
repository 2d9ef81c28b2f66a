-- name: ClosingLock :exec
-- Makes closings of a business wait for each other.
SELECT FROM shop WHERE code = @shop_code FOR NO KEY UPDATE;

-- name: ClosingNow :one
-- Returns the time by the clock that settles payments, and the series that numbers the closings since the last restore.
SELECT clock_timestamp()::timestamptz AS until_at,
       coalesce((SELECT to_char(max(r.restored_at) AT TIME ZONE 'UTC', 'YYYYMMDD-HH24MISS') FROM restore r), '')::text AS series;

-- name: ClosingTake :many
-- Counts the movements from since on that no closing has, and notes those from edge on in closing_entry. It looks back to reach for
-- movements before since that were recorded too late for the previous closing. Both parts see the same snapshot.
WITH noted AS (
    INSERT INTO closing_entry (kind, id, shop_code, test_mode, no)
    SELECT m.kind, m.id, m.shop_code, m.test_mode, @no::int
    FROM movement m
    WHERE m.shop_code = @shop_code AND m.test_mode = @test_mode
      AND m.moved_at >= @edge::timestamptz AND m.moved_at < @until_at::timestamptz
      AND (m.moved_at >= @since::timestamptz OR NOT EXISTS (SELECT FROM closing_entry e WHERE e.kind = m.kind AND e.id = m.id))
)
SELECT m.currency::text AS currency, m.method::text AS method,
       count(*) FILTER (WHERE m.kind = 'capture') AS payments,
       coalesce(sum(m.amount_minor) FILTER (WHERE m.kind = 'capture'), 0)::bigint AS taken_minor,
       coalesce(sum(m.gst_minor) FILTER (WHERE m.kind = 'capture'), 0)::bigint AS gst_minor,
       count(*) FILTER (WHERE m.kind = 'refund') AS refunds,
       coalesce(sum(m.amount_minor) FILTER (WHERE m.kind = 'refund'), 0)::bigint AS refunds_done_minor,
       coalesce(sum(m.gst_minor) FILTER (WHERE m.kind = 'refund'), 0)::bigint AS refund_gst_minor
FROM movement m
WHERE m.shop_code = @shop_code AND m.test_mode = @test_mode AND m.moved_at >= @reach::timestamptz AND m.moved_at < @until_at::timestamptz
  AND (m.moved_at >= @since::timestamptz OR NOT EXISTS (SELECT FROM closing_entry e WHERE e.kind = m.kind AND e.id = m.id))
GROUP BY m.currency, m.method ORDER BY m.currency, m.method;

-- name: ClosingRecount :many
-- Counts the movements of a closing again: those that it noted from edge on, and those before edge, which it did not note. Its columns are
-- those of ClosingTake.
SELECT m.currency::text AS currency, m.method::text AS method,
       count(*) FILTER (WHERE m.kind = 'capture') AS payments,
       coalesce(sum(m.amount_minor) FILTER (WHERE m.kind = 'capture'), 0)::bigint AS taken_minor,
       coalesce(sum(m.gst_minor) FILTER (WHERE m.kind = 'capture'), 0)::bigint AS gst_minor,
       count(*) FILTER (WHERE m.kind = 'refund') AS refunds,
       coalesce(sum(m.amount_minor) FILTER (WHERE m.kind = 'refund'), 0)::bigint AS refunds_done_minor,
       coalesce(sum(m.gst_minor) FILTER (WHERE m.kind = 'refund'), 0)::bigint AS refund_gst_minor
FROM movement m
WHERE m.shop_code = @shop_code AND m.test_mode = @test_mode AND m.moved_at >= @reach::timestamptz AND m.moved_at < @until_at::timestamptz
  AND CASE (SELECT e.no FROM closing_entry e WHERE e.kind = m.kind AND e.id = m.id) WHEN @no::int THEN true
      ELSE m.moved_at < @edge::timestamptz
           AND NOT EXISTS (SELECT FROM closing_entry e WHERE e.kind = m.kind AND e.id = m.id) END
GROUP BY m.currency, m.method ORDER BY m.currency, m.method;

-- name: ClosingAdd :exec
INSERT INTO closing (shop_code, test_mode, no, day, since, until_at, time_zone, business, abn, totals, signature, closed_by, series)
VALUES (@shop_code, @test_mode, @no, @day, @since, @until_at, @time_zone, @business, @abn, @totals, @signature, @closed_by, @series);

-- name: ClosingLast :one
SELECT * FROM closing WHERE shop_code = @shop_code AND test_mode = @test_mode ORDER BY no DESC LIMIT 1;

-- name: ClosingGet :one
SELECT * FROM closing WHERE shop_code = @shop_code AND test_mode = @test_mode AND no = @no;

-- name: ClosingList :many
-- The closings of a business before a number, the newest first.
SELECT * FROM closing WHERE shop_code = @shop_code AND test_mode = @test_mode AND no < @before_no::int ORDER BY no DESC LIMIT @at_most;
