-- name: PayoutAdd :execrows
-- Zero rows: the payout is already known.
INSERT INTO payout (id, shop_code, currency, test_mode, gross_minor, fees_minor, net_minor, paid_at)
VALUES (@id, @shop_code, @currency, @test_mode, @gross_minor, @fees_minor, @net_minor, @paid_at)
ON CONFLICT (id) DO NOTHING;

-- name: PayoutRepeat :execrows
-- Stores the figures of a second payout with the id of a known one, unless they are the same. Zero rows: nothing is new.
UPDATE payout p SET repeated = @says::text, accepted_at = NULL
WHERE p.id = @id AND p.repeated <> @says::text
  AND (p.shop_code, p.currency, p.test_mode, p.gross_minor, p.fees_minor, p.net_minor)
      IS DISTINCT FROM (@shop_code::text, @currency::text, @test_mode::boolean, @gross_minor::bigint, @fees_minor::bigint, @net_minor::bigint);

-- name: PayoutAccept :execrows
-- Accepts a payout, so that it is no longer listed for a person. Zero rows: it is not listed.
UPDATE payout p SET accepted_at = now()
WHERE p.id = @id AND EXISTS (SELECT FROM payout_in_doubt d WHERE d.payout_id = p.id);

-- name: PayoutLineAdd :exec
INSERT INTO payout_line (payout_id, line_no, reference, kind)
SELECT @payout_id, n, (@reference_list::text[])[n], 'unknown' FROM generate_series(1, cardinality(@reference_list::text[])) n;

-- name: PayoutLinePlace :exec
-- Places the lines that match nothing yet. A dispute may become known after the payout that holds it. A charge that is listed for the second
-- time is its dispute, for the third time the money of a won dispute, and after that kind again. A line of another business, currency or mode
-- stays unknown.
UPDATE payout_line SET kind = placed.kind
FROM (
    SELECT listed.payout_id, listed.line_no, CASE
        WHEN f.id IS NOT NULL THEN CASE listed.nth WHEN 1 THEN 'refund' ELSE 'again' END
        WHEN a.id IS NULL THEN 'unknown'
        WHEN listed.nth = 1 THEN 'capture'
        WHEN listed.nth = 2 AND d.attempt_id IS NOT NULL THEN 'dispute'
        WHEN listed.nth = 3 AND d.state = 'won' THEN 'returned'
        ELSE 'again' END AS kind
    FROM (
        SELECT l.payout_id, l.line_no, l.reference, row_number() OVER (PARTITION BY l.reference ORDER BY l.line_no) + (
            SELECT count(*) FROM payout_line o WHERE o.reference = l.reference AND o.kind NOT IN ('unknown', 'again')) AS nth
        FROM payout_line l
        WHERE l.payout_id = @payout_id AND l.kind IN ('unknown', 'again')
          AND l.reference ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
    ) listed
    JOIN payout p ON p.id = listed.payout_id
    LEFT JOIN LATERAL (
        SELECT a.id FROM attempt a WHERE a.id = listed.reference::uuid AND a.state = 'approved' AND a.currency = p.currency
          AND a.test_mode = p.test_mode AND p.shop_code IN ('', a.shop_code) LIMIT 1) a ON true -- each by its key
    LEFT JOIN LATERAL (
        SELECT f.id FROM refund f WHERE f.id = listed.reference::uuid AND f.state = 'done' AND f.currency = p.currency
          AND f.test_mode = p.test_mode AND p.shop_code IN ('', f.shop_code) LIMIT 1) f ON true
    LEFT JOIN dispute d ON d.attempt_id = a.id
) placed
WHERE payout_line.payout_id = placed.payout_id AND payout_line.line_no = placed.line_no;

-- name: PayoutSum :exec
-- Adds up a payout by our own books, in its own currency. A dispute may be about a payment in another one.
UPDATE payout SET held_minor = (
    SELECT coalesce(sum(CASE l.kind
        WHEN 'capture' THEN (SELECT coalesce(a.captured_minor, a.amount_minor) FROM attempt a WHERE a.id = l.reference::uuid)
        WHEN 'refund' THEN -(SELECT f.amount_minor FROM refund f WHERE f.id = l.reference::uuid)
        WHEN 'dispute' THEN -(SELECT d.amount_minor FROM dispute d WHERE d.attempt_id = l.reference::uuid AND d.currency = payout.currency)
        WHEN 'returned' THEN (SELECT d.amount_minor FROM dispute d WHERE d.attempt_id = l.reference::uuid AND d.currency = payout.currency) END), 0)
    FROM payout_line l WHERE l.payout_id = payout.id)
WHERE payout.id = @id;

-- name: PayoutListUnplaced :many
-- Lists payouts with lines that match nothing here, the oldest first: a charge comes before its dispute.
SELECT p.id FROM payout_line l JOIN payout p ON p.id = l.payout_id
WHERE l.kind IN ('unknown', 'again') AND (l.kind = 'unknown' OR p.accepted_at IS NULL)
GROUP BY p.id ORDER BY p.paid_at, p.id;

-- name: PayoutListDoubt :many
-- Lists the payouts that a person has to look at. payout_in_doubt (migration 94) says what is wrong.
SELECT p.id, p.shop_code, p.currency, p.test_mode, p.gross_minor, p.fees_minor, p.net_minor, p.held_minor, p.paid_at, p.repeated, d.reference, d.kind,
       coalesce(c.name, p.shop_code)::text AS business
FROM payout_in_doubt d JOIN payout p ON p.id = d.payout_id LEFT JOIN shop c ON c.code = p.shop_code
ORDER BY p.paid_at, p.id, d.reference;

-- name: PayoutGet :one
SELECT p.*, coalesce(c.name, p.shop_code)::text AS business
FROM payout p LEFT JOIN shop c ON c.code = p.shop_code
WHERE p.id = @id;

-- name: UnsettledLock :exec
-- Makes transactions that place lines of payouts and those that list movements in no payout wait for each other.
SELECT pg_advisory_xact_lock(@key::bigint);

-- name: MovementsUntil :one
-- Returns until when every movement is committed: no transaction of the program that still runs began earlier. The minute is for one that has
-- begun and is not shown yet.
SELECT (least(clock_timestamp(), min(a.xact_start)) - interval '1 minute')::timestamptz AS until_at
FROM pg_catalog.pg_stat_activity a WHERE a.datname = current_database() AND a.usename = current_user AND a.pid <> pg_backend_pid();

-- name: UnsettledMarks :one
-- Returns until when unsettled and awaited list the movements that are in no payout, and locks that: an import of captures moves it back.
-- No row: nothing was ever listed.
SELECT until_at, listed_until FROM ledger_read WHERE kind = 'settled' FOR UPDATE;

-- name: UnsettledMarksSet :exec
INSERT INTO ledger_read (kind, until_at, listed_until) VALUES ('settled', @until_at::timestamptz, @listed_until::timestamptz)
ON CONFLICT (kind) DO UPDATE SET until_at = excluded.until_at, listed_until = excluded.listed_until;

-- name: UnsettledAdd :exec
-- Lists as late the movements within a time window that are in no payout.
INSERT INTO unsettled (reference, kind, transaction_id, shop_code, amount_minor, currency, test_mode, moved_at)
SELECT m.reference, m.kind, m.transaction_id, m.shop_code, m.amount_minor, m.currency, m.test_mode, m.moved_at
FROM settled_movement m
LEFT JOIN LATERAL (
    SELECT true AS held FROM payout_line l
    WHERE l.reference = m.reference AND l.kind = m.kind AND l.kind NOT IN ('unknown', 'again') LIMIT 1) l ON true -- each by its key
WHERE l.held IS NULL AND m.moved_at >= @since::timestamptz AND m.moved_at < @before::timestamptz
ON CONFLICT (reference, kind) DO NOTHING;

-- name: AwaitedAdd :exec
-- Lists the captures and refunds of a time window that are in no payout yet.
INSERT INTO awaited (reference, kind, transaction_id, shop_code, amount_minor, currency, test_mode, moved_at)
SELECT m.reference, m.kind, m.transaction_id, m.shop_code, m.amount_minor, m.currency, m.test_mode, m.moved_at
FROM settled_movement m
LEFT JOIN LATERAL (
    SELECT true AS held FROM payout_line l
    WHERE l.reference = m.reference AND l.kind = m.kind AND l.kind NOT IN ('unknown', 'again') LIMIT 1) l ON true -- each by its key
WHERE l.held IS NULL AND m.kind <> 'dispute' AND m.moved_at >= @since::timestamptz AND m.moved_at < @before::timestamptz
ON CONFLICT (reference, kind) DO NOTHING;

-- name: AwaitedDrop :exec
-- Drops movements that unsettled lists by now, and those that are in a payout: when the previous version imported a payout, the trigger may
-- not have found their rows yet.
DELETE FROM awaited w
WHERE w.moved_at < @before::timestamptz
   OR EXISTS (SELECT FROM payout_line l WHERE l.reference = w.reference AND l.kind = w.kind AND l.kind NOT IN ('unknown', 'again'));

-- name: UnsettledDrop :exec
DELETE FROM unsettled u USING payout_line l WHERE l.reference = u.reference AND l.kind = u.kind;

-- name: UnsettledWon :exec
-- A dispute that was lost, and is now won, takes no money.
DELETE FROM unsettled WHERE reference = @reference AND kind = 'dispute';

-- name: UnsettledList :many
SELECT * FROM unsettled WHERE moved_at < @before ORDER BY moved_at, reference;

-- name: LedgerReadUntil :one
SELECT until_at FROM ledger_read WHERE kind = @kind;

-- name: LedgerReadSet :exec
INSERT INTO ledger_read (kind, until_at) VALUES (@kind, @until_at) ON CONFLICT (kind) DO UPDATE SET until_at = excluded.until_at;
