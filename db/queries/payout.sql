-- name: PayoutAdd :one
-- Adds a payout that the gateway lists, and returns its number. No row: it is known, with all that it says.
WITH c AS (
    SELECT payout_content(@shop_code, @currency, @test_mode, @gross_minor, @fees_minor, @net_minor, @paid_at, @reference_list::text[]) AS content
), known AS ( -- from before gateways were stored
    UPDATE payout SET gateway = @gateway FROM c WHERE payout.id = @id AND payout.gateway = '' AND payout.content = c.content RETURNING number
)
INSERT INTO payout (gateway, id, content, shop_code, currency, test_mode, gross_minor, fees_minor, net_minor, paid_at, repeated)
SELECT @gateway, @id, c.content, @shop_code, @currency, @test_mode, @gross_minor, @fees_minor, @net_minor, @paid_at,
       EXISTS (SELECT FROM payout o WHERE o.id = @id AND o.gateway IN ('', @gateway))
FROM c WHERE NOT EXISTS (SELECT FROM known)
ON CONFLICT (id, gateway, content) DO NOTHING
RETURNING number;

-- name: PayoutLineAdd :exec
INSERT INTO payout_line (payout, line_no, reference)
SELECT @payout, n, (@reference_list::text[])[n] FROM generate_series(1, cardinality(@reference_list::text[])) n;

-- name: PayoutPlace :exec
-- Finds the movements of a payout; payout_place (migration 232) says which.
SELECT payout_place(@number);

-- name: PayoutListUnplaced :many
-- Lists payouts with lines that match nothing here, the oldest first: a charge comes before its dispute.
SELECT p.number FROM payout_line l JOIN payout p ON p.number = l.payout
WHERE l.kind IN ('unknown', 'again') AND (l.kind = 'unknown' OR p.accepted_at IS NULL)
GROUP BY p.number ORDER BY p.paid_at, p.number;

-- name: PayoutAccept :execrows
-- Accepts a payout, so that it is no longer listed for a person. Zero rows: it is not listed.
UPDATE payout p SET accepted_at = now()
WHERE p.number = @number AND EXISTS (SELECT FROM payout_in_doubt d WHERE d.payout = p.number);

-- name: PayoutListDoubt :many
-- Lists the payouts that a person has to look at; payout_in_doubt (migration 232) says what is wrong. With a number, only that payout.
SELECT sqlc.embed(p), d.reference, d.kind, coalesce(c.name, p.shop_code)::text AS business
FROM payout_in_doubt d JOIN payout p ON p.number = d.payout LEFT JOIN shop c ON c.code = p.shop_code
WHERE @number::bigint IN (0, p.number)
ORDER BY p.paid_at, p.number, d.reference;

-- name: PayoutGet :one
SELECT sqlc.embed(p), coalesce(c.name, p.shop_code)::text AS business
FROM payout p LEFT JOIN shop c ON c.code = p.shop_code
WHERE p.number = @number;

-- name: PayoutsRead :exec
-- Notes that the gateway listed payouts now: what moved longer than late_after ago is late, back to thirty days before it did so for the first
-- time.
INSERT INTO ledger_mark (kind, until_at) VALUES ('owed', now() - interval '30 days'), ('late', now() - @late_after::interval)
ON CONFLICT (kind) DO UPDATE SET until_at = excluded.until_at WHERE ledger_mark.kind = 'late';

-- name: OwedLate :many
-- Lists the movements that are in no payout though they should be.
SELECT o.kind, o.reference, o.transaction_id::text AS transaction_id, o.amount_minor, o.currency, o.moved_at FROM owed o WHERE o.late ORDER BY o.moved_at, o.reference;

-- name: PayoutCharges :one
-- The charges that a payout holds, for its fees. No row: its fees were looked at before, or not all of its lines are known yet.
SELECT p.shop_code, p.currency, p.fees_minor, p.test_mode, count(DISTINCT m.reference) AS charges, coalesce(sum(m.amount_minor), 0)::bigint AS amount_minor
FROM payout p LEFT JOIN movement m ON m.payout = p.number AND m.kind = 'capture'
WHERE p.number = @number AND p.rated_minor IS NULL AND NOT EXISTS (SELECT FROM payout_line l WHERE l.payout = p.number AND l.kind = 'unknown')
GROUP BY p.number;

-- name: PayoutRate :exec
UPDATE payout SET rated_minor = @rated_minor::bigint, misrated = @misrated WHERE number = @number;
