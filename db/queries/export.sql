-- name: ExportCount :one
-- Counts the payments, refunds, disputes or payouts of a table, up to at_most.
SELECT count(*) FROM (
    (SELECT FROM movement m WHERE m.kind = ANY (@kinds::text[]) AND m.shop_code = @shop_code AND m.test_mode = @test_mode
        AND m.moved_at >= @since::timestamptz AND m.moved_at < @before::timestamptz LIMIT @at_most::int)
    UNION ALL
    (SELECT FROM payout p WHERE @payouts::boolean AND p.shop_code = @shop_code AND p.test_mode = @test_mode
        AND p.paid_at >= @since::timestamptz AND p.paid_at < @before::timestamptz LIMIT @at_most::int)
) counted;

-- name: ExportPaymentList :many
-- A page of the payments of a business, oldest first, with what corrects them.
SELECT m.id, a.id AS attempt_id, t.id AS transaction_id, m.moved_at, m.amount_minor, m.gst_minor, m.currency, m.method, a.card_brand, a.card_last_four, a.payer_name,
       coalesce(a.transactionid, '')::text AS gateway_id, t.kind, t.client_ref, t.description, t.table_name, t.customer_name
FROM (
    SELECT * FROM movement x WHERE x.kind = 'capture' AND x.shop_code = @shop_code AND x.test_mode = @test_mode
      AND (x.moved_at, x.id) > (@after_at::timestamptz, @after_id::uuid) AND x.moved_at < @before::timestamptz
    ORDER BY x.moved_at, x.id LIMIT @at_most
) m
CROSS JOIN LATERAL (SELECT * FROM attempt y WHERE y.id = m.reference::uuid LIMIT 1) a -- each by its key
CROSS JOIN LATERAL (SELECT * FROM transaction y WHERE y.id = m.transaction_id LIMIT 1) t
ORDER BY m.moved_at, m.id;

-- name: ExportLineList :many
-- The lines of some payments of a business, each with the category that its item is in now; '' is none any more.
SELECT l.transaction_id, l.line_no, l.kind, l.name, l.price_minor, l.qty, l.options, l.loc,
       coalesce((SELECT c.name FROM item i JOIN category c ON c.id = i.category_id WHERE i.id = l.item_id), '')::text AS category
FROM order_line l WHERE l.transaction_id = ANY (@transaction_ids::text[]) AND l.shop_code = @shop_code
ORDER BY l.transaction_id, l.line_no;

-- name: ExportRefundList :many
-- A page of the refunds of a business, oldest first, with what corrects them.
SELECT m.id, r.id AS refund_id, r.transaction_id, m.moved_at, (-m.amount_minor)::bigint AS amount_minor, (-m.gst_minor)::bigint AS gst_minor, m.currency, m.method, r.reason, r.requested_by, coalesce(r.refundid, '')::text AS gateway_id,
       coalesce((SELECT string_agg(CASE l.kind WHEN 'item' THEN x.qty::text || ' x ' ELSE '' END || l.name, ', ' ORDER BY x.line_no)
           FROM refund_line x JOIN order_line l ON l.transaction_id = x.transaction_id AND l.line_no = x.line_no WHERE x.refund_id = r.id), '')::text AS lines
FROM (
    SELECT * FROM movement x WHERE x.kind = 'refund' AND x.shop_code = @shop_code AND x.test_mode = @test_mode
      AND (x.moved_at, x.id) > (@after_at::timestamptz, @after_id::uuid) AND x.moved_at < @before::timestamptz
    ORDER BY x.moved_at, x.id LIMIT @at_most
) m
CROSS JOIN LATERAL (SELECT * FROM refund y WHERE y.id = m.reference::uuid LIMIT 1) r
ORDER BY m.moved_at, m.id;

-- name: ExportDisputeList :many
-- A page of what banks took from a business in disputes and returned, oldest first.
SELECT m.id, m.kind, m.transaction_id::text AS transaction_id, m.moved_at, m.amount_minor, m.currency, m.method, a.card_brand, a.card_last_four,
       coalesce(a.transactionid, '')::text AS gateway_id
FROM movement m
CROSS JOIN LATERAL (SELECT * FROM attempt y WHERE y.id = m.reference::uuid LIMIT 1) a
WHERE m.kind IN ('taken', 'returned') AND m.shop_code = @shop_code AND m.test_mode = @test_mode
  AND (m.moved_at, m.id) > (@after_at::timestamptz, @after_id::uuid) AND m.moved_at < @before::timestamptz
ORDER BY m.moved_at, m.id LIMIT @at_most;

-- name: ExportPayoutList :many
-- A page of the payouts of a business, oldest first.
SELECT sqlc.embed(p),
       (SELECT count(*) FROM payout_line l WHERE l.payout = p.number AND l.kind NOT IN ('unknown', 'again')) AS entries
FROM payout p WHERE p.shop_code = @shop_code AND p.test_mode = @test_mode
  AND (p.paid_at, p.number) > (@after_at::timestamptz, @after_number::bigint) AND p.paid_at < @before::timestamptz
ORDER BY p.paid_at, p.number LIMIT @at_most;

-- name: MovementDays :many
-- Adds up the movements within a time window, by day of a clock, currency and method. Its other columns are those of ClosingCount.
SELECT to_char(m.moved_at AT TIME ZONE @zone::text, 'YYYY-MM-DD')::text AS day, m.currency, m.method,
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
WHERE m.shop_code = @shop_code AND m.test_mode = @test_mode AND m.moved_at >= @since::timestamptz AND m.moved_at < @before::timestamptz
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;

-- name: ExportAdd :exec
INSERT INTO export (id, shop_code, account_id, requested_by, kind, test_mode, since, before, time_zone, after_at, after_id)
VALUES (@id, @shop_code, @account_id, @requested_by, @kind, @test_mode, @since, @before, @time_zone, @after_at, @after_id);

-- name: ExportOpen :one
-- How many long tables of a business are being made.
SELECT count(*) FROM export WHERE shop_code = @shop_code AND done_at IS NULL AND created_at > now() - @kept_for::interval;

-- name: ExportTrim :exec
-- Deletes all but the newest tables of a business.
DELETE FROM export WHERE id IN (SELECT e.id FROM export e WHERE e.shop_code = @shop_code ORDER BY e.created_at DESC OFFSET @keep::int);

-- name: ExportGet :one
-- Returns a table that is not older than kept_for.
SELECT * FROM export WHERE id = @id AND shop_code = @shop_code AND created_at > now() - @kept_for::interval;

-- name: ExportList :many
SELECT * FROM export WHERE shop_code = @shop_code AND created_at > now() - @kept_for::interval ORDER BY created_at DESC LIMIT 20;

-- name: ExportLock :one
-- Locks the table on which a job goes on. No row: it is done or deleted.
SELECT * FROM export WHERE id = @id AND done_at IS NULL FOR UPDATE;

-- name: ExportTotal :exec
UPDATE export SET rows_total = @rows_total::bigint WHERE id = @id;

-- name: ExportPartAdd :exec
-- Stores the next part of a table, and the place where the following part begins.
WITH part AS (
    INSERT INTO export_part (export_id, part_no, content) SELECT e.id, e.parts + 1, @content::bytea FROM export e WHERE e.id = @id
)
UPDATE export SET parts = parts + 1, bytes = bytes + length(@content::bytea), rows_done = rows_done + @rows_done::int, after_at = @after_at, after_id = @after_id,
    done_at = CASE WHEN @done::boolean THEN now() END
WHERE export.id = @id;

-- name: ExportPartGet :one
SELECT content FROM export_part WHERE export_id = @export_id AND part_no = @part_no;

-- name: ExportLetter :one
-- Returns what the letter about a table needs. No row: the table or its account was deleted, or the person has left the team.
SELECT e.id, e.kind, e.shop_code, c.name AS shop_name, a.email FROM export e JOIN shop c ON c.code = e.shop_code JOIN account a ON a.id = e.account_id
JOIN shop_member m ON m.shop_code = e.shop_code AND m.account_id = e.account_id
WHERE e.id = @id;

-- name: ExportPrune :execrows
DELETE FROM export WHERE id IN (SELECT e.id FROM export e WHERE e.created_at < now() - @kept_for::interval LIMIT @at_most::int);
