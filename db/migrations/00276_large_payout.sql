-- +goose Up

-- Finds the movements of a payout's lines that are in no payout: those of its own business, currency and mode. A charge that is listed for the
-- second time is what a bank took, for the third time what it returned, in the order of time; what corrects a charge or a refund goes with it.
-- A refund of the gateway's console has a reference of the gateway's, which its ledger knows.
-- The payout's fees are shared among its charges by their amounts, so that the shares add up. Lines and movements are matched in one
-- aggregate, and movements are found by their ids alone (OFFSET 0): without statistics, which a new payout has none of, PostgreSQL otherwise
-- compares each line with each movement, minutes for some thousands of lines.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION payout_place(placed bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE p payout;
BEGIN
    PERFORM pg_advisory_xact_lock(x'7061796f7574'::bigint); -- one after the other
    SELECT * INTO p FROM payout WHERE number = placed;
    WITH listed AS MATERIALIZED (
        SELECT l.line_no, o.id::text AS reference, o.id, row_number() OVER (PARTITION BY o.id ORDER BY l.line_no) AS nth
        FROM (
            SELECT y.line_no, y.reference, row_number() OVER (PARTITION BY y.reference ORDER BY y.line_no) AS nth
            FROM payout_line y WHERE y.payout = placed AND y.movement_id IS NULL
        ) l CROSS JOIN LATERAL (SELECT coalesce(
            (SELECT m.id FROM movement m WHERE m.kind IN ('capture', 'refund') AND m.id = text_uuid(l.reference) LIMIT 1),
            (SELECT e.id FROM ledger_entry e JOIN movement m ON m.kind = 'refund' AND m.id = e.id AND m.payout IS NULL
             WHERE e.kind = 'refund' AND e.reference = l.reference AND e.gateway = p.gateway
               AND e.merchant = p.shop_code AND e.test_mode = p.test_mode AND e.currency = p.currency AND e.withdrawn_at IS NULL
             ORDER BY e.at, e.id OFFSET l.nth - 1 LIMIT 1),
            (SELECT e.id FROM ledger_entry e JOIN movement m ON m.kind = 'capture' AND m.id = e.id
             WHERE e.kind = 'capture' AND e.reference = l.reference AND e.gateway = p.gateway ORDER BY e.at, e.id LIMIT 1),
            text_uuid(l.reference)) AS id OFFSET 0) o
        WHERE o.id IS NOT NULL
    ), known AS MATERIALIZED (
        SELECT DISTINCT m.reference, m.transaction_id FROM listed l CROSS JOIN LATERAL (
            SELECT * FROM movement o WHERE o.kind IN ('capture', 'refund') AND o.id = l.id OFFSET 0) m
        WHERE m.shop_code = p.shop_code AND m.test_mode = p.test_mode
    ), free AS (
        SELECT m.reference, m.kind, m.id, row_number() OVER (PARTITION BY m.reference ORDER BY m.kind IN ('taken', 'returned'), m.moved_at, m.booked_at, m.kind) AS nth
        FROM known k CROSS JOIN LATERAL (SELECT * FROM movement o WHERE o.transaction_id = k.transaction_id OFFSET 0) m
        WHERE m.reference = k.reference AND m.payout IS NULL AND m.currency = p.currency AND m.test_mode = p.test_mode AND m.shop_code = p.shop_code
          AND (m.id::text = m.reference OR m.kind IN ('taken', 'returned'))
    ), matched AS (
        SELECT b.reference, max(b.line_no) AS line_no, max(b.kind) AS kind, (array_agg(b.id) FILTER (WHERE b.kind IS NOT NULL))[1] AS id
        FROM (SELECT reference, nth, line_no, NULL AS kind, NULL::uuid AS id FROM listed
            UNION ALL SELECT reference, nth, NULL, kind, id FROM free) b
        GROUP BY b.reference, b.nth
    ), found AS (
        UPDATE payout_line l SET movement_id = x.id, kind = coalesce(x.kind, CASE WHEN EXISTS (
            SELECT FROM (SELECT * FROM movement o WHERE o.kind IN ('capture', 'refund') AND o.id = x.reference::uuid OFFSET 0) m
            WHERE m.id::text = m.reference AND m.shop_code = p.shop_code AND m.test_mode = p.test_mode AND m.currency = p.currency) THEN 'again' ELSE 'unknown' END)
        FROM matched x
        WHERE l.payout = placed AND l.line_no = x.line_no
        RETURNING l.kind, l.movement_id
    )
    UPDATE movement m SET payout = placed
    FROM found f JOIN movement o ON o.kind = f.kind AND o.id = f.movement_id
    WHERE m.transaction_id = o.transaction_id AND m.kind = o.kind AND m.reference = o.reference AND m.payout IS NULL
      AND (m.id = o.id OR m.kind IN ('capture', 'refund'));

    UPDATE movement m SET fee_minor = s.upto - s.before
    FROM (
        SELECT c.kind, c.id, round(p.fees_minor * sum(c.amount_minor) OVER w / c.whole) AS upto,
               round(p.fees_minor * (sum(c.amount_minor) OVER w - c.amount_minor) / c.whole) AS before
        FROM (SELECT x.*, sum(x.amount_minor) OVER () AS whole FROM movement x WHERE x.payout = placed AND x.kind = 'capture') c
        WHERE c.whole > 0
        WINDOW w AS (ORDER BY c.moved_at, c.id)
    ) s
    WHERE m.kind = s.kind AND m.id = s.id AND m.fee_minor <> s.upto - s.before;

    INSERT INTO movement (kind, id, reference, shop_code, test_mode, currency, amount_minor, method, moved_at, booked_at, payout)
    SELECT 'fee', md5('payout ' || placed)::uuid, p.id, p.shop_code, p.test_mode, p.currency, -p.fees_minor, '', p.paid_at, p.paid_at, placed
    WHERE p.fees_minor <> 0 ON CONFLICT (kind, id) DO NOTHING;

    UPDATE payout SET held_minor = (
        SELECT coalesce(sum(m.amount_minor), 0) FROM movement m WHERE m.payout = placed AND m.kind <> 'fee')
    WHERE number = placed;
END $$;
-- +goose StatementEnd

-- +goose Down
-- The function before finds the same, only slowly.
