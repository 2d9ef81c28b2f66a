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

-- name: CaptureBook :execrows
-- Books a charge that a ledger lists and that does not count here, at its time and amount: as a new attempt, or as the one that was thought
-- to be refused. Zero rows: it is in another currency, or its transaction does not exist, is paid, or has an open attempt. A ledger does not
-- tell how it was paid; the other details are those that the gateway still has, if any.
WITH t AS (
    SELECT t.* FROM transaction t
    WHERE t.id = @transaction_id AND t.shop_code = @merchant AND t.test_mode = @test_mode AND t.currency = @currency
      AND t.status IN ('new', 'error', 'expired') AND t.approved_attempt IS NULL
    FOR UPDATE
), a AS (
    INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, state, captured_minor,
                         lease_until, transactionid, created_at, settled_at, gateway, code, bank_transaction_no, gateway_reference,
                         card_last_four, consumer_name, consumer_email)
    SELECT @id, t.id, t.shop_code, t.amount_minor, t.currency, t.test_mode, 'card', 'ledger ' || @id::uuid, 'approved',
           nullif(@amount_minor::bigint, t.amount_minor), now(), nullif(@transactionid::text, ''), @moved_at, @moved_at, @gateway::text, @code,
           @bank_transaction_no, @gateway_reference, @card_last_four, @consumer_name, @consumer_email
    FROM t
    ON CONFLICT (id) DO UPDATE
    SET state = 'approved', captured_minor = excluded.captured_minor, settled_at = excluded.settled_at, error_msg = '',
        transactionid = coalesce(excluded.transactionid, attempt.transactionid), code = coalesce(nullif(excluded.code, ''), attempt.code)
    WHERE attempt.transaction_id = excluded.transaction_id AND attempt.state IN ('declined', 'not_charged')
    RETURNING attempt.id AS attempt_id, attempt.transaction_id, attempt.transactionid, attempt.code, attempt.captured_minor
)
UPDATE transaction
SET status = CASE WHEN EXISTS (SELECT FROM order_line l WHERE l.transaction_id = transaction.id)
                  THEN 'success' ELSE 'paid' END,
    approved_attempt = a.attempt_id, paid_at = @moved_at, transactionid = coalesce(a.transactionid, ''), code = a.code, error_msg = '',
    captured_minor = a.captured_minor
FROM a WHERE transaction.id = a.transaction_id;

-- name: CaptureCorrect :execrows
-- Makes the amount of a charge that of the ledger. Zero rows: nobody paid with it, or it was in another currency.
WITH a AS (
    UPDATE attempt SET captured_minor = nullif(@amount_minor::bigint, attempt.amount_minor)
    WHERE attempt.id = @id AND attempt.state = 'approved' AND attempt.currency = @currency RETURNING attempt.id, attempt.transaction_id, attempt.captured_minor
)
UPDATE transaction SET captured_minor = a.captured_minor FROM a WHERE transaction.id = a.transaction_id AND transaction.approved_attempt = a.id;

-- name: CaptureStray :execrows
-- Makes a transaction for a charge that counts for none, so that it can be given back, and takes its disputes along. Zero rows: there is no
-- such shop.
WITH e AS (
    SELECT e.*, s.country_code FROM ledger_entry e JOIN shop s ON s.code = e.merchant WHERE e.id = @entry
), t AS (
    INSERT INTO transaction (id, shop_code, status, amount_minor, currency, country_code, test_mode, description, kind, client_ref)
    SELECT @id, e.merchant, 'processing', e.amount_minor, e.currency, e.country_code, e.test_mode, @description, 'link', coalesce(e.transaction_id, '') FROM e
), a AS (
    INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, state, lease_until, transactionid,
                         created_at, gateway)
    SELECT e.id, @id, e.merchant, e.amount_minor, e.currency, e.test_mode, 'card', 'ledger ' || e.id, 'manual', now(), nullif(e.transactionid, ''),
           e.at, e.gateway
    FROM e
)
UPDATE ledger_entry SET transaction_id = @id FROM e
WHERE ledger_entry.id = e.id OR ledger_entry.kind = 'dispute' AND ledger_entry.gateway = e.gateway AND ledger_entry.reference = e.reference
  AND NOT EXISTS (SELECT FROM attempt o WHERE o.id = text_uuid(e.reference) AND o.state = 'approved');

-- name: RefundFromLedger :execrows
-- Books a refund that a ledger lists and that does not count here, at its time and amount: one from the gateway's console, or one that was
-- thought to be declined. Zero rows: it is in another currency, or its transaction is not paid.
WITH t AS (
    SELECT t.* FROM transaction t
    WHERE t.id = @transaction_id AND t.shop_code = @merchant AND t.test_mode = @test_mode AND t.currency = @currency AND t.approved_attempt IS NOT NULL
    FOR UPDATE
), r AS (
    INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, created_at, gateway, state,
                        settled_at)
    SELECT @id, t.id, t.shop_code, @amount_minor::bigint, t.currency, t.test_mode, 'ledger', now(), @moved_at, @gateway::text, 'done', @moved_at
    FROM t
    ON CONFLICT (id) DO UPDATE SET state = 'done', amount_minor = excluded.amount_minor, settled_at = excluded.settled_at, error_msg = ''
    WHERE refund.transaction_id = excluded.transaction_id AND refund.state = 'declined' AND refund.attempt_id IS NULL
    RETURNING refund.transaction_id, refund.amount_minor
)
UPDATE transaction SET refunded_minor = transaction.refunded_minor + r.amount_minor, refunded_there_minor = refunded_there_minor + r.amount_minor
FROM r WHERE transaction.id = r.transaction_id;

-- name: RefundCorrect :execrows
-- Makes the amount of a refund that of the ledger. Zero rows: it was not made, or it was in another currency.
WITH was AS (
    SELECT r.id, r.transaction_id, r.amount_minor FROM refund r
    WHERE r.id = @id AND r.state = 'done' AND r.attempt_id IS NULL AND r.currency = @currency FOR UPDATE
), r AS (
    UPDATE refund SET amount_minor = @amount_minor FROM was WHERE refund.id = was.id RETURNING refund.amount_minor - was.amount_minor AS more
)
UPDATE transaction SET refunded_minor = transaction.refunded_minor + r.more, 
    refunded_there_minor = least(refunded_there_minor + greatest(r.more, 0), transaction.refunded_minor + r.more)
FROM was, r WHERE transaction.id = was.transaction_id;

-- name: RestoreClosed :one
-- Reports whether the gateway's ledger must be imported first.
SELECT EXISTS (SELECT FROM restore WHERE reopened_at IS NULL);
