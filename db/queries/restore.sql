-- name: RestoreAdd :exec
INSERT INTO restore (backup_at) VALUES (@backup_at);

-- name: RestorePending :one
-- Reports whether a restore has closed a transaction: all are closed until the gateway's ledger is imported, and those of the backup for
-- longer if a gateway may still charge for them.
SELECT EXISTS (SELECT FROM restore r WHERE r.reopened_at IS NULL OR r.held AND EXISTS (
    SELECT FROM transaction t WHERE t.id = @transaction_id AND t.created_at < r.restored_at));

-- name: RestoreOpen :one
-- Returns the time from which the ledger must be imported, and the restores that this covers. No row: nothing is closed.
SELECT min(backup_at)::timestamptz AS backup_at, max(restored_at)::timestamptz AS restored_at, max(id)::bigint AS newest
FROM restore WHERE reopened_at IS NULL OR held HAVING count(*) > 0;

-- name: GatewayAbsent :many
-- Lists gateways that are not configured although payments went to them on the last day with payments before a restore.
SELECT DISTINCT a.gateway::text FROM attempt a
WHERE a.created_at < @restored_at
  AND a.created_at > (SELECT max(b.created_at) FROM attempt b WHERE b.created_at < @restored_at) - interval '1 day'
  AND a.gateway <> ALL (@configured::text[])
ORDER BY 1;

-- name: RestoreReopen :execrows
-- Opens payments. With held, the transactions of the backup stay closed.
UPDATE restore SET reopened_at = coalesce(reopened_at, now()), held = @held
WHERE (reopened_at IS NULL OR held) AND id <= @newest;

-- name: CaptureImport :execrows
-- Records a capture that only the gateway knows. Zero rows: the transaction does not exist, has another amount, is paid, or an attempt of
-- it is open. The ledger does not tell how it was paid. The other details are those that the gateway still has, if any.
WITH t AS (
    SELECT t.* FROM transaction t
    WHERE t.id = @transaction_id AND t.amount_minor = @amount_minor AND t.currency = @currency
      AND t.status IN ('new', 'error', 'expired') AND t.approved_attempt IS NULL
    FOR UPDATE
), a AS (
    INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, state,
                         lease_until, transactionid, created_at, settled_at, gateway, code, bank_transaction_no, gateway_reference,
                         card_last_four, consumer_name, consumer_email)
    SELECT @id, t.id, t.shop_code, t.amount_minor, t.currency, t.test_mode, 'card', 'ledger ' || @id::uuid, 'approved',
           now(), nullif(@transactionid::text, ''), @moved_at, @moved_at, @gateway::text, @code, @bank_transaction_no, @gateway_reference,
           @card_last_four, @consumer_name, @consumer_email
    FROM t
    RETURNING attempt.id AS attempt_id, attempt.transaction_id, attempt.code
)
UPDATE transaction
SET status = CASE WHEN EXISTS (SELECT FROM order_line l WHERE l.transaction_id = transaction.id)
                  THEN 'success' ELSE 'paid' END,
    approved_attempt = a.attempt_id, paid_at = @moved_at, transactionid = @transactionid::text, code = a.code, error_msg = ''
FROM a WHERE transaction.id = a.transaction_id;

-- name: CaptureDoubt :execrows
-- Leaves a capture of a different amount for a person to decide, and keeps the transaction from being paid meanwhile.
WITH t AS (
    SELECT t.* FROM transaction t
    WHERE t.id = @transaction_id AND t.status IN ('new', 'error', 'expired') AND t.approved_attempt IS NULL
    FOR UPDATE
), a AS (
    INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, state,
                         lease_until, created_at, error_msg, gateway, transactionid, told_minor, told_currency)
    SELECT @id, t.id, t.shop_code, t.amount_minor, t.currency, t.test_mode, 'card', 'ledger ' || @id::uuid, 'manual',
           now(), @moved_at, @error_msg, @gateway::text, nullif(@transactionid::text, ''), @told_minor::bigint, @told_currency::text
    FROM t
    RETURNING attempt.transaction_id
)
UPDATE transaction SET status = 'processing', error_msg = ''
FROM a WHERE transaction.id = a.transaction_id;

-- name: RefundImport :execrows
-- Opens a refund that only the gateway knows, under the gateway's reference. The sweep asks for the answer again, which moves no money.
-- Zero rows: the payment does not exist or has too little left.
WITH t AS (
    SELECT t.* FROM transaction t
    WHERE t.id = @transaction_id AND t.currency = @currency AND t.approved_attempt IS NOT NULL
      AND t.refunded_minor + @amount_minor::bigint <= coalesce(t.captured_minor, t.amount_minor)
    FOR UPDATE
), reserved AS (
    UPDATE transaction SET refunded_minor = transaction.refunded_minor + @amount_minor::bigint
    FROM t WHERE transaction.id = t.id
)
INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, created_at, gateway)
SELECT @id, t.id, t.shop_code, @amount_minor::bigint, t.currency, t.test_mode, 'ledger', now(), @moved_at, @gateway::text
FROM t;

-- name: RefundKnown :one
SELECT EXISTS (SELECT FROM refund WHERE id = @id);

-- name: TransactionStatus :one
SELECT status FROM transaction WHERE id = @id;

-- name: UnmatchedAdd :execrows
-- Stores an entry of the ledger that belongs to nothing here. A later one about the same movement replaces it, and an equal one may close it.
-- Zero rows: nothing changed.
INSERT INTO unmatched_movement (kind, reference, trx_id, transactionid, amount_minor, currency, moved_at, problem, closed_at)
VALUES (@kind, @reference, @trx_id, @transactionid, @amount_minor, @currency, @moved_at, @problem, CASE WHEN @closed::boolean THEN now() END)
ON CONFLICT (kind, reference) DO UPDATE
SET closed_at = excluded.closed_at, problem = excluded.problem, amount_minor = excluded.amount_minor, currency = excluded.currency, moved_at = excluded.moved_at
WHERE excluded.moved_at > unmatched_movement.moved_at AND excluded.problem <> unmatched_movement.problem
   OR excluded.moved_at = unmatched_movement.moved_at AND unmatched_movement.closed_at IS NULL AND excluded.closed_at IS NOT NULL;

-- name: UnmatchedList :many
-- Lists entries that match nothing here, the oldest first: the open ones, the closed ones, or all.
SELECT * FROM unmatched_movement m
WHERE @state::text = '' OR (m.closed_at IS NULL) = (@state::text = 'open')
ORDER BY m.created_at, m.kind, m.reference
LIMIT @at_most OFFSET @skipped;

-- name: UnmatchedCount :one
SELECT count(*) FILTER (WHERE closed_at IS NULL) AS open, count(*) FILTER (WHERE closed_at IS NOT NULL) AS closed FROM unmatched_movement;

-- name: UnmatchedGet :one
SELECT * FROM unmatched_movement WHERE kind = @kind AND reference = @reference;

-- name: UnmatchedClose :execrows
-- Zero rows: it is closed, or there is none.
UPDATE unmatched_movement SET closed_at = now() WHERE kind = @kind AND reference = @reference AND closed_at IS NULL;

-- name: UnmatchedBooked :exec
-- Closes what the ledger shows of an attempt or refund that a person has decided to book, except other_problem.
UPDATE unmatched_movement SET closed_at = now()
WHERE kind IN ('capture', 'refund') AND reference = @reference AND closed_at IS NULL AND problem <> @other_problem;

-- name: RestoreClosed :one
-- Reports whether the gateway's ledger must be imported first.
SELECT EXISTS (SELECT FROM restore WHERE reopened_at IS NULL);
