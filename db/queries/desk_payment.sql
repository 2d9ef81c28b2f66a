-- name: DeskPaymentList :many
-- Lists the payments of a business that come after a moment and an attempt, newest first. lead names the index that finds them: 'time',
-- 'card', 'amount', 'number' or 'reference', or 'open' or 'disputed' for the few payments in such a state. It reads at most look attempts, and
-- returns the last of them even if it does not match, so that the next page knows where to begin. It lists a payment by the attempt that
-- paid it or by its last one, or by an earlier one in a search for that attempt's card. Card and amount are compared as rows, so that only their own index has the
-- order, however many payments share a value in the planner's view.
WITH looked AS (
    (SELECT b.* FROM attempt b WHERE @lead::text = 'time' AND b.shop_code = @shop_code AND b.test_mode = @test_mode
        AND (b.created_at, b.id) < (@before_at::timestamptz, @before_id::uuid) AND b.created_at >= @since::timestamptz
        ORDER BY b.created_at DESC, b.id DESC LIMIT @look::int)
    UNION ALL
    (SELECT b.* FROM attempt b WHERE @lead::text = 'card' AND b.shop_code = @shop_code AND b.test_mode = @test_mode AND b.card_last_four <> ''
        AND (b.card_last_four, b.created_at, b.id) < (@last_four::text, @before_at::timestamptz, @before_id::uuid)
        AND (b.card_last_four, b.created_at) >= (@last_four::text, @since::timestamptz)
        ORDER BY b.card_last_four DESC, b.created_at DESC, b.id DESC LIMIT @look::int)
    UNION ALL
    (SELECT b.* FROM attempt b WHERE @lead::text = 'amount' AND b.shop_code = @shop_code AND b.test_mode = @test_mode
        AND (coalesce(b.captured_minor, b.amount_minor), b.created_at, b.id) < (@amount_minor::bigint, @before_at::timestamptz, @before_id::uuid)
        AND (coalesce(b.captured_minor, b.amount_minor), b.created_at) >= (@amount_minor::bigint, @since::timestamptz)
        ORDER BY coalesce(b.captured_minor, b.amount_minor) DESC, b.created_at DESC, b.id DESC LIMIT @look::int)
    UNION ALL
    (SELECT b.* FROM attempt b WHERE @lead::text = 'open' AND b.shop_code = @shop_code AND b.test_mode = @test_mode AND b.state IN ('submitting', 'redirected', 'unknown', 'manual')
        AND (b.created_at, b.id) < (@before_at::timestamptz, @before_id::uuid) AND b.created_at >= @since::timestamptz
        ORDER BY b.created_at DESC, b.id DESC LIMIT @look::int)
    UNION ALL
    (SELECT b.* FROM dispute d JOIN attempt b ON b.id = d.attempt_id WHERE @lead::text = 'disputed' AND d.shop_code = @shop_code AND d.test_mode = @test_mode
        AND (b.created_at, b.id) < (@before_at::timestamptz, @before_id::uuid) AND b.created_at >= @since::timestamptz
        ORDER BY b.created_at DESC, b.id DESC LIMIT @look::int)
    UNION ALL
    (SELECT b.* FROM attempt b WHERE @lead::text = 'reference' AND b.shop_code = @shop_code AND b.test_mode = @test_mode AND b.transaction_id IN (
            SELECT @reference::text
            UNION ALL SELECT r.id FROM transaction r WHERE r.shop_code = @shop_code AND r.client_ref = @reference::text AND r.client_ref <> ''
            UNION ALL SELECT c.transaction_id FROM attempt c WHERE c.transactionid = @reference::text AND c.shop_code = @shop_code AND c.test_mode = @test_mode AND c.state = 'approved')
        AND (b.created_at, b.id) < (@before_at::timestamptz, @before_id::uuid) AND b.created_at >= @since::timestamptz
        ORDER BY b.created_at DESC, b.id DESC LIMIT @look::int)
    UNION ALL -- beside those of an amount, the order of today with a number
    (SELECT b.* FROM transaction r JOIN attempt b ON b.id = r.approved_attempt WHERE @lead::text IN ('amount', 'number')
        AND r.shop_code = @shop_code AND r.test_mode = @test_mode AND r.order_no = @order_no::int AND r.paid_at >= @today::timestamptz
        AND coalesce(b.captured_minor, b.amount_minor) <> @amount_minor::bigint
        AND (b.created_at, b.id) < (@before_at::timestamptz, @before_id::uuid) AND b.created_at >= @since::timestamptz)
), counted AS (
    SELECT looked.*, row_number() OVER (ORDER BY looked.created_at DESC, looked.id DESC) AS nth FROM looked
), judged AS (
    SELECT a.id, a.transaction_id, a.created_at, coalesce(a.captured_minor, a.amount_minor)::bigint AS amount_minor, a.currency, a.test_mode, a.method, a.state,
           a.card_brand, a.card_last_four, a.payer_name, a.nth, t.order_no, t.customer_name, t.table_name, t.kind, t.client_ref, t.description, (t.differences <> '[]')::boolean AS in_question,
           ((@amount_minor::bigint = 0 AND @order_no::int = 0 OR coalesce(a.captured_minor, a.amount_minor) = @amount_minor::bigint
                OR t.order_no = @order_no::int AND t.paid_at >= @today::timestamptz)
            AND (@last_four::text = '' OR a.card_last_four = @last_four::text)
            AND (@method::text = '' OR a.method = @method::text)
            AND (@name::text = '' OR position(folded(@name::text) IN folded(a.payer_name || chr(10) || t.customer_name)) > 0)
            AND (@table_name::text = '' OR folded(t.table_name) = folded(@table_name::text))
            AND CASE @show::text
                WHEN 'paid' THEN a.state = 'approved'
                WHEN 'refunded' THEN a.state = 'approved' AND t.refunded_minor > 0
                WHEN 'declined' THEN a.state IN ('declined', 'not_charged')
                WHEN 'open' THEN a.state IN ('submitting', 'redirected', 'unknown', 'manual')
                WHEN 'disputed' THEN EXISTS (SELECT FROM dispute d WHERE d.attempt_id = a.id AND d.state <> 'won')
                ELSE true END
            AND (@last_four::text <> '' OR CASE WHEN t.approved_attempt IS NOT NULL THEN a.id = t.approved_attempt ELSE NOT EXISTS (SELECT FROM attempt o
                WHERE o.transaction_id = a.transaction_id AND (o.created_at, o.id) > (a.created_at, a.id)) END))::boolean AS matches
    FROM counted a CROSS JOIN LATERAL (
        SELECT * FROM transaction x WHERE x.id = a.transaction_id LIMIT 1) t -- each by its key, and no more than the page needs
    WHERE a.nth <= @look::int
)
SELECT j.*, p.refunded_minor AS refunds_done_minor,
       coalesce((SELECT d.state FROM dispute d WHERE d.attempt_id = j.id), '')::text AS dispute
FROM judged j JOIN position p ON p.transaction_id = j.transaction_id WHERE j.matches OR j.nth = @look::int
ORDER BY j.created_at DESC, j.id DESC LIMIT @at_most;

-- name: DeskPaymentGet :one
-- Returns one transaction of a business for its payment page, with the attempt that paid it, else its last one, and its dispute.
SELECT sqlc.embed(t), sqlc.embed(position), coalesce(l.opened_at, t.created_at)::timestamptz AS opened_at, (l.opened_at IS NOT NULL)::boolean AS opened,
       coalesce(r.token, '')::text AS receipt_token,
       coalesce(p.typed, '')::text AS typed_mail, coalesce(p.consumer, '')::text AS consumer_mail, coalesce(p.asked, '')::text AS asked_mail,
       EXISTS (SELECT FROM restore s WHERE s.reopened_at IS NULL OR s.held AND t.created_at < s.restored_at)::boolean AS closed,
       (t.differences <> '[]')::boolean AS in_question,
       coalesce(a.state, '')::text AS state, coalesce(a.method, '')::text AS method, coalesce(a.card_brand, '')::text AS card_brand,
       coalesce(a.card_last_four, '')::text AS card_last_four, coalesce(a.payer_name, '')::text AS payer_name,
       coalesce((SELECT d.state FROM dispute d WHERE d.transaction_id = t.id ORDER BY d.opened_at DESC LIMIT 1), '')::text AS dispute
FROM transaction t
LEFT JOIN LATERAL (SELECT * FROM attempt x WHERE x.transaction_id = t.id
    ORDER BY x.id IS NOT DISTINCT FROM t.approved_attempt DESC, x.created_at DESC, x.id DESC LIMIT 1) a ON true
LEFT JOIN paylink l ON l.transaction_id = t.id
LEFT JOIN receipt r ON r.transaction_id = t.id
LEFT JOIN payer p ON p.transaction_id = t.id
JOIN position ON position.transaction_id = t.id
WHERE t.id = @id AND t.shop_code = @shop_code;

-- name: DeskAttemptList :many
-- The attempts to pay a transaction of a business, the first one first.
SELECT a.id, a.method, a.state, a.amount_minor, a.captured_minor, a.currency, a.card_brand, a.card_last_four, a.payer_name, a.error_msg, a.code, a.created_at, a.settled_at
FROM attempt a WHERE a.transaction_id = @transaction_id AND a.shop_code = @shop_code ORDER BY a.created_at, a.id;

-- name: DeskRefundList :many
-- The refunds of a transaction of a business, oldest first. by_team reports whether an account that is not staff's asked for the refund;
-- lines says which lines it is for.
SELECT r.id, r.amount_minor, r.currency, r.state, r.reason, r.requested_by, r.created_at, r.settled_at, (r.attempt_id IS NULL)::boolean AS booked,
       EXISTS (SELECT FROM account c WHERE c.email = r.requested_by AND NOT c.staff)::boolean AS by_team,
       coalesce((SELECT string_agg(CASE l.kind WHEN 'item' THEN x.qty::text || ' × ' ELSE '' END || l.name, ', ' ORDER BY x.line_no)
           FROM refund_line x JOIN order_line l ON l.transaction_id = x.transaction_id AND l.line_no = x.line_no WHERE x.refund_id = r.id), '')::text AS lines
FROM refund r WHERE r.transaction_id = @transaction_id AND r.shop_code = @shop_code ORDER BY r.created_at, r.id;

-- name: DeskDisputeList :many
SELECT d.* FROM dispute d WHERE d.transaction_id = @transaction_id AND d.shop_code = @shop_code ORDER BY d.opened_at;

-- name: DeskMovementList :many
-- Lists the movements of a business's transaction that are in a payout, or that corrected what was charged or refunded. A payout
-- has a movement with its corrections: paid_minor.
SELECT p.number, p.id, p.paid_at, m.kind, m.amount_minor, m.currency, m.booked_at, m.correction,
       (sum(m.amount_minor) OVER (PARTITION BY m.payout, m.kind, m.reference, CASE WHEN m.kind IN ('taken', 'returned') THEN m.id END))::bigint AS paid_minor
FROM movement m LEFT JOIN payout p ON p.number = m.payout
WHERE m.transaction_id = @transaction_id::text AND m.shop_code = @shop_code
  AND (p.number IS NOT NULL OR m.correction)
ORDER BY p.paid_at, p.number, m.moved_at;

-- name: DeskLetterList :many
-- Returns what became of letters, by key. Letters are kept for a month.
SELECT m.key, m.held, m.created_at, m.sent_at, (m.problem <> '')::boolean AS refused FROM mail m WHERE m.key = ANY (@keys::text[]);

-- name: DeskLineList :many
-- The lines of a business's order, and how many of each an undecided refund is for.
SELECT l.line_no, l.name, l.price_minor, l.qty, l.options, l.note, l.status, l.refunded_qty,
       (SELECT coalesce(sum(x.qty), 0) FROM refund_line x JOIN refund r ON r.id = x.refund_id
        WHERE x.transaction_id = l.transaction_id AND x.line_no = l.line_no AND r.state IN ('open', 'pending', 'manual'))::int AS asked_qty
FROM order_line l WHERE l.transaction_id = @transaction_id AND l.shop_code = @shop_code ORDER BY l.line_no;

-- name: DeskDay :many
-- Adds up what a business took and refunded within a time window (a correction counts no order or refund), by currency and hour of its own clock. When clocks go back, the hour
-- that occurs twice counts as one. Computing the local hour is the slowest part, so it is done once for each quarter of an hour, not for each
-- of thousands of payments; every zone is whole quarters away from UTC.
SELECT m.currency, extract(hour FROM m.quarter AT TIME ZONE @zone::text)::int AS hour,
       sum(m.taken)::bigint AS taken_minor, sum(m.orders)::bigint AS orders, sum(m.back)::bigint AS refunds_done_minor, sum(m.refunds)::bigint AS refunds
FROM (
    SELECT x.currency, date_bin('15 minutes', x.moved_at, '2000-01-01Z') AS quarter,
           coalesce(sum(x.amount_minor) FILTER (WHERE x.kind = 'capture'), 0) AS taken, count(*) FILTER (WHERE x.kind = 'capture' AND NOT x.correction) AS orders,
           coalesce(-sum(x.amount_minor) FILTER (WHERE x.kind = 'refund'), 0) AS back, count(*) FILTER (WHERE x.kind = 'refund' AND NOT x.correction) AS refunds
    FROM movement x WHERE x.shop_code = @shop_code AND x.test_mode = @test_mode AND x.kind IN ('capture', 'refund')
      AND x.moved_at >= @since::timestamptz AND x.moved_at < @before::timestamptz
    GROUP BY 1, 2
) m
GROUP BY 1, 2 ORDER BY 1, 2;

-- name: DeskNeeds :many
-- Returns what a business has to see to in either mode, real payments first: payments and refunds without an outcome, refunds declined
-- within declined_for, open disputes, up to most_waiting orders that the kitchen has. Both rows say whether it has no account for wallets,
-- takes no orders for want of a kitchen screen, and has one open.
SELECT v.test_mode::boolean AS test_mode, w.waiting, w.oldest,
       (SELECT count(*) FROM attempt a WHERE a.shop_code = c.code AND a.test_mode = v.test_mode AND a.state IN ('submitting', 'redirected', 'unknown', 'manual')
            AND (a.state = 'manual' OR a.created_at < now() - @manual_after::interval)) AS payments,
       (SELECT count(*) FROM refund r WHERE r.shop_code = c.code AND r.test_mode = v.test_mode AND r.state IN ('open', 'pending', 'manual')
            AND (r.state = 'manual' OR r.created_at < now() - CASE r.state WHEN 'pending' THEN @pending_after::interval ELSE @manual_after::interval END)) AS refunds,
       (SELECT count(*) FROM shop_event e WHERE e.shop_code = c.code AND e.test_mode = v.test_mode AND e.kind = 'refund.failed'
            AND e.happened_at > now() - @declined_for::interval) AS declined,
       (SELECT count(*) FROM dispute d WHERE d.shop_code = c.code AND d.test_mode = v.test_mode AND d.state = 'opened') AS disputes,
       (NOT EXISTS (SELECT FROM shop_account k WHERE k.shop_code = c.code AND k.live = c.live))::boolean AS no_wallets,
       EXISTS (SELECT FROM kitchen_closed k WHERE k.shop_code = c.code)::boolean AS paused,
       EXISTS (SELECT FROM kitchen_screen k WHERE k.shop_code = c.code AND k.seen_at > now() - interval '10 minutes')::boolean AS watched
FROM shop c CROSS JOIN (VALUES (false), (true)) v (test_mode)
CROSS JOIN LATERAL (SELECT count(*) AS waiting, coalesce(min(o.paid_at), now())::timestamptz AS oldest FROM (
    SELECT t.paid_at FROM transaction t WHERE t.shop_code = c.code AND t.status = 'success' AND t.test_mode = v.test_mode
      AND t.paid_at > now() - interval '1 day' ORDER BY t.paid_at LIMIT @most_waiting::int) o) w
WHERE c.code = @shop_code ORDER BY 1;

-- name: DeskSold :many
-- Adds up what a business sold from since on, and from prior to prior_ends before that: of each item, in each of today's categories ('' is none
-- any more) and in each hour of its own clock. What was refunded by line is taken off, when it was sold.
SELECT v.part::text AS part, v.label::text AS label,
       coalesce(sum(l.qty - l.refunded_qty) FILTER (WHERE m.moved_at >= @since::timestamptz), 0)::bigint AS qty,
       coalesce(sum((l.qty - l.refunded_qty) * l.price_minor) FILTER (WHERE m.moved_at >= @since::timestamptz), 0)::bigint AS amount_minor,
       coalesce(sum(l.qty - l.refunded_qty) FILTER (WHERE m.moved_at < @since::timestamptz), 0)::bigint AS before_qty,
       coalesce(sum((l.qty - l.refunded_qty) * l.price_minor) FILTER (WHERE m.moved_at < @since::timestamptz), 0)::bigint AS before_minor
FROM movement m
JOIN order_line l ON l.transaction_id = m.transaction_id AND l.kind = 'item'
CROSS JOIN LATERAL (VALUES ('item', l.name), ('hour', extract(hour FROM m.moved_at AT TIME ZONE @zone::text)::int::text),
    ('category', coalesce((SELECT c.name FROM item i JOIN category c ON c.id = i.category_id WHERE i.id = l.item_id), ''))) v (part, label)
WHERE m.shop_code = @shop_code AND m.test_mode = @test_mode AND m.kind = 'capture' AND NOT m.correction AND m.currency = @currency
  AND m.moved_at >= @prior::timestamptz AND m.moved_at < @before::timestamptz
  AND (m.moved_at >= @since::timestamptz OR m.moved_at < @prior_ends::timestamptz)
GROUP BY 1, 2 ORDER BY 1, 4 DESC, 6 DESC, 2 LIMIT @at_most;
