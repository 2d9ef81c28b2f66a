-- name: LedgerStore :many
-- Stores a page of a gateway's ledger, and returns the entries that are new or have changed.
SELECT ledger_store(@entries::jsonb)::uuid AS id;

-- name: LedgerListed :many
-- Lists the entries of a gateway within a time window that were stored before a reading of it began; kind '' is captures and refunds, and
-- undated ones are those without a time.
SELECT e.id FROM ledger_entry e
WHERE e.gateway = @gateway AND e.kind = ANY (CASE WHEN @kind::text = '' THEN ARRAY['capture', 'refund'] ELSE ARRAY[@kind::text] END)
  AND (e.at >= @from_at AND e.at < @until_at OR e.at IS NULL AND @undated::boolean)
  AND e.withdrawn_at IS NULL AND e.listed_at < @began_at;

-- name: LedgerWithdraw :exec
UPDATE ledger_entry SET withdrawn_at = now() WHERE id = ANY (@ids::uuid[]) AND withdrawn_at IS NULL;

-- name: LedgerReadAdd :exec
-- Notes a complete reading. Of short windows, only the last day's are kept.
WITH old AS (
    DELETE FROM ledger_reading r WHERE r.gateway = @gateway AND r.kind = @kind AND r.began_at < now() - interval '1 day'
      AND r.until_at - r.from_at < interval '4 days'
)
INSERT INTO ledger_reading (gateway, kind, from_at, until_at, began_at)
VALUES (@gateway, @kind, @from_at, @until_at, @began_at) ON CONFLICT DO NOTHING;

-- name: LedgerLock :exec
-- Makes those that lock several transactions for a ledger wait for each other.
SELECT pg_advisory_xact_lock(x'6c6564676572'::bigint);

-- name: LedgerJudge :one
-- Judges anew what time changes, at most 500 transactions of them: those whose charge or refund a window's ledger should list and does not,
-- and all that differ. It returns how many it wrote.
SELECT count(transaction_judge(y.id)) FROM (SELECT x.id FROM (
    SELECT t.id FROM transaction t WHERE t.differences <> '[]' AND (t.created_at >= @from_at OR NOT t.differences @> '[{"code": "waits"}]')
    UNION
    SELECT a.transaction_id FROM attempt a WHERE a.state = 'approved' AND a.settled_at >= @from_at AND a.settled_at < @until_at
      AND NOT EXISTS (SELECT FROM ledger_entry e WHERE e.transaction_id = a.transaction_id AND e.kind = 'capture' AND e.withdrawn_at IS NULL
        AND (e.reference = a.id::text OR e.id = a.id))
    UNION
    SELECT r.transaction_id FROM refund r WHERE r.state = 'done' AND r.settled_at >= @from_at AND r.settled_at < @until_at
      AND NOT EXISTS (SELECT FROM ledger_entry e WHERE e.transaction_id = r.transaction_id AND e.kind = 'refund' AND e.withdrawn_at IS NULL
        AND (e.reference = r.id::text OR e.id = r.id))
) x JOIN transaction o ON o.id = x.id WHERE o.differences <> differences_of(x.id) LIMIT 500) y;

-- name: LedgerJudgeAll :exec
-- Judges anew every transaction that was made within a window.
SELECT transaction_judge(t.id) FROM transaction t
WHERE t.created_at >= @from_at AND t.created_at < @until_at AND t.differences <> differences_of(t.id);

-- name: CaptureListed :one
-- Returns what the ledgers list as charged for an attempt, and how much of it was given back since. No row: no charge.
SELECT c.amount_minor, c.currency, (SELECT coalesce(sum(b.amount_minor), 0) FROM ledger_entry b
    WHERE b.transaction_id = c.transaction_id AND b.transactionid = c.transactionid AND b.kind = 'refund' AND b.currency = c.currency AND b.at >= c.at AND b.odd = ''
      AND b.withdrawn_at IS NULL)::bigint AS back_minor
FROM ledger_entry c JOIN attempt a ON a.id = @attempt AND c.transaction_id = a.transaction_id AND (c.reference = a.id::text OR c.id = a.id)
WHERE c.kind = 'capture' AND c.odd = '' AND c.withdrawn_at IS NULL ORDER BY c.at DESC LIMIT 1;

-- name: DisputeListed :one
-- Reports whether the payer's bank holds a charge or has taken it, by what a ledger lists about it.
SELECT coalesce((SELECT e.state <> 'won' FROM ledger_entry e WHERE e.kind = 'dispute' AND e.gateway = @gateway AND e.reference = @reference
    AND e.withdrawn_at IS NULL AND e.odd = '' ORDER BY e.at DESC, e.state = 'opened', e.id LIMIT 1), false)::boolean;

-- name: TransactionClose :exec
-- Closes a transaction that is not paid, and for which a ledger lists a charge that does not count here: nobody can pay it again.
UPDATE transaction SET status = 'expired', error_msg = @error_msg
WHERE id = @id AND approved_attempt IS NULL AND status IN ('new', 'error', 'expired');

-- name: RefundListed :one
-- Returns the ledger's entry about a refund. No row: it lists none.
SELECT e.* FROM ledger_entry e JOIN refund r ON r.id = @refund AND e.transaction_id = r.transaction_id AND e.reference = r.id::text
WHERE e.kind = 'refund' AND e.withdrawn_at IS NULL ORDER BY e.at LIMIT 1;

-- name: CaseImportable :many
-- Lists the charges and refunds since a moment that only the ledgers have, charges first.
SELECT e.* FROM transaction t CROSS JOIN LATERAL jsonb_array_elements(t.differences) d JOIN ledger_entry e ON e.id = (d ->> 'entry')::uuid
WHERE t.differences <> '[]' AND d ->> 'code' IN ('capture', 'refund') AND e.at >= @since
  AND NOT EXISTS (SELECT FROM attempt a WHERE a.id = text_uuid(e.reference)) AND NOT EXISTS (SELECT FROM refund r WHERE r.id = text_uuid(e.reference))
ORDER BY e.kind, e.at, e.id;

-- name: LedgerOdd :many
-- Lists what the ledgers list since a moment and is not readable.
SELECT * FROM ledger_entry WHERE odd <> '' AND withdrawn_at IS NULL AND listed_at >= @since AND kind IN ('capture', 'refund') ORDER BY listed_at, id;

-- name: LedgerEntryGet :one
SELECT * FROM ledger_entry WHERE id = @id;

-- name: LedgerEntries :many
-- Lists what the ledgers have about a transaction.
SELECT * FROM ledger_entry WHERE transaction_id = @transaction_id::text AND withdrawn_at IS NULL ORDER BY at, id;

-- name: LedgerNew :many
-- Returns payouts among new entries, oldest first, else in the order of listed.
SELECT * FROM ledger_entry WHERE id = ANY (@ids::uuid[]) AND kind = 'payout' ORDER BY at, array_position(@listed::uuid[], id);

-- name: LedgerTotals :many
-- Adds up what the ledgers list within a window, by merchant, currency and mode.
SELECT merchant, currency, coalesce(test_mode, false)::boolean AS test_mode,
       count(*) FILTER (WHERE kind = 'capture') AS captures, count(*) FILTER (WHERE kind = 'refund') AS refunds,
       coalesce(sum(amount_minor) FILTER (WHERE kind = 'capture'), 0)::bigint AS captured_minor,
       coalesce(sum(amount_minor) FILTER (WHERE kind = 'refund'), 0)::bigint AS refunded_minor
FROM ledger_entry
WHERE kind IN ('capture', 'refund') AND odd = '' AND withdrawn_at IS NULL AND gateway = ANY (@gateways::text[]) AND at >= @from_at AND at < @until_at
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;

-- name: CaseList :many
-- Lists the cases at /staff/unmatched, oldest first: transactions that differ, and entries about none. With a window, only those that moved
-- money within it.
SELECT c.subject::text AS subject, c.shop::text AS shop, c.test_mode::boolean AS test_mode, c.amount_minor::bigint AS amount_minor, c.currency::text AS currency,
       c.says::text AS says, c.since::timestamptz AS since
FROM (
    SELECT t.id AS subject, s.name AS shop, t.test_mode, coalesce(t.captured_minor, t.amount_minor) AS amount_minor, t.currency,
           (SELECT string_agg(d ->> 'says', '; ') FROM jsonb_array_elements(t.differences) d) AS says, t.differ_since AS since,
           EXISTS (SELECT FROM ledger_entry e WHERE e.transaction_id = t.id AND e.at >= @from_at AND e.at < @until_at)
             OR t.paid_at >= @from_at AND t.paid_at < @until_at
             OR EXISTS (SELECT FROM refund r WHERE r.transaction_id = t.id AND r.settled_at >= @from_at AND r.settled_at < @until_at) AS within
    FROM transaction t JOIN shop s ON s.code = t.shop_code WHERE t.differences <> '[]'
    UNION ALL
    SELECT e.id::text, coalesce(s.name, e.merchant), coalesce(e.test_mode, false), e.amount_minor, e.currency,
           e.kind || ' ' || e.reference || ': ' || e.problem, e.listed_at, coalesce(e.at >= @from_at AND e.at < @until_at, true)
    FROM ledger_entry e LEFT JOIN shop s ON s.code = e.merchant WHERE e.problem <> ''
) c
WHERE c.within OR @all_times::boolean
ORDER BY c.since, c.subject LIMIT @at_most OFFSET @skipped;

-- name: CaseCount :one
SELECT ((SELECT count(*) FROM transaction t WHERE t.differences <> '[]') + (SELECT count(*) FROM ledger_entry e WHERE e.problem <> ''))::bigint AS cases;

-- name: CaseTell :one
-- Counts the cases that were found since staff were last told of some. It counts each once, in a transaction that has LedgerLock.
WITH before AS (
    SELECT m.until_at FROM ledger_mark m WHERE m.kind = 'told' FOR UPDATE
), told AS (
    UPDATE ledger_mark SET until_at = statement_timestamp() WHERE kind = 'told'
)
SELECT ((SELECT count(*) FROM transaction t WHERE t.differences <> '[]' AND t.differ_since >= before.until_at)
     + (SELECT count(*) FROM ledger_entry e WHERE e.problem <> '' AND e.listed_at >= before.until_at))::bigint AS cases
FROM before;

-- name: CaseTransaction :one
-- Returns a transaction that differs, or differed, for staff.
SELECT sqlc.embed(t), sqlc.embed(position), s.name AS shop_name, s.mail AS shop_mail
FROM transaction t JOIN position ON position.transaction_id = t.id JOIN shop s ON s.code = t.shop_code WHERE t.id = @id;

-- name: DifferenceAccept :exec
INSERT INTO difference_accepted (subject, entry, says) VALUES (@subject, @entry, @says) ON CONFLICT DO NOTHING;

-- name: TransactionJudge :exec
SELECT transaction_judge(@id::text);

-- name: LedgerEntryAccept :exec
UPDATE ledger_entry SET problem = '' WHERE id = @id;

-- name: DisputeTell :many
-- Lists the disputes whose business has not been told of their state.
SELECT attempt_id, state, coalesce(ended_at, opened_at)::timestamptz AS at, due_at FROM dispute
WHERE told <> state || ' ' || extract(epoch FROM coalesce(ended_at, opened_at)) ORDER BY opened_at LIMIT 100 FOR UPDATE SKIP LOCKED;

-- name: DisputeTold :exec
UPDATE dispute SET told = state || ' ' || extract(epoch FROM coalesce(ended_at, opened_at)) WHERE attempt_id = ANY (@attempts::uuid[]);
