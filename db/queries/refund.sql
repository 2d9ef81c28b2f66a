-- name: RefundOpen :one
-- The refund of a transaction that is not decided yet.
SELECT * FROM refund WHERE transaction_id = @transaction_id AND state = 'open';

-- name: RefundEqual :one
-- Whether an equal refund was done before, so that a repeated command does not pay twice.
SELECT EXISTS (SELECT FROM refund
    WHERE transaction_id = @transaction_id AND amount_minor = @amount_minor AND state = 'done');

-- name: RefundClaim :one
-- Reserves the amount on the transaction and opens the refund, in one statement. refunded_minor is what had been given back when
-- the caller looked for an equal refund. No row: another refund came since, or not paid, or more than is left, or a restore
-- closed all payments.
WITH t AS (
    SELECT t.* FROM transaction t
    WHERE t.id = @transaction_id AND t.approved_attempt IS NOT NULL AND t.refunded_minor = @refunded_minor
      AND NOT EXISTS (SELECT FROM restore r WHERE r.reopened_at IS NULL OR r.held AND t.created_at < r.restored_at)
      AND t.refunded_minor + @amount_minor::bigint <= t.amount_minor
    FOR UPDATE
), reserved AS (
    UPDATE transaction SET refunded_minor = transaction.refunded_minor + @amount_minor::bigint
    FROM t WHERE transaction.id = t.id
)
INSERT INTO refund (id, transaction_id, client_code, amount_minor, currency, test_mode, requested_by, lease_until)
SELECT @id, t.id, t.client_code, @amount_minor::bigint, t.currency, t.test_mode, @requested_by,
       now() + make_interval(secs => @lease_seconds::float8)
FROM t
RETURNING *;

-- name: RefundDone :execrows
-- The whole amount given back cancels what is not made yet.
WITH r AS (
    UPDATE refund SET state = 'done', refundid = @refundid, settled_at = now()
    WHERE refund.id = @id AND refund.state = 'open'
    RETURNING refund.transaction_id
), cancelled AS (
    UPDATE order_line SET status = 'cancelled'
    FROM r JOIN transaction t ON t.id = r.transaction_id AND t.refunded_minor = t.amount_minor
    WHERE order_line.transaction_id = r.transaction_id AND order_line.status = 'open'
)
SELECT transaction_id FROM r;

-- name: RefundDecline :execrows
WITH r AS (
    UPDATE refund SET state = 'declined', settled_at = now()
    WHERE refund.id = @id AND refund.state = 'open'
    RETURNING refund.transaction_id, refund.amount_minor
)
UPDATE transaction SET refunded_minor = refunded_minor - r.amount_minor
FROM r WHERE transaction.id = r.transaction_id;

-- name: RefundLease :many
UPDATE refund SET checks = checks + 1, lease_until = now() + make_interval(secs => @lease_seconds::float8)
WHERE id IN (
    SELECT r.id FROM refund r WHERE r.state = 'open' AND r.lease_until <= now()
    ORDER BY r.lease_until LIMIT @most::int FOR UPDATE SKIP LOCKED
)
RETURNING *;

-- name: RefundDefer :exec
-- As AttemptDefer.
UPDATE refund SET lease_until = now() + least(interval '15 seconds', greatest(interval '1 second', (now() - created_at) / 4))
WHERE id = @id AND state = 'open';

-- name: TransactionCapture :one
-- What a refund needs to know of the payment, as of one moment: what is given back counts a refund that is still open, too.
SELECT t.id, t.client_code, t.amount_minor, t.refunded_minor, t.currency, t.test_mode, t.status,
       coalesce(a.transactionid, '')::text AS transactionid,
       EXISTS (SELECT FROM refund r WHERE r.transaction_id = t.id AND r.state = 'open') AS refund_open
FROM transaction t LEFT JOIN attempt a ON a.id = t.approved_attempt
WHERE t.id = @id;

-- name: RefundLetter :one
-- What a letter about a refund tells. No email: the payer gave none.
SELECT r.amount_minor, r.currency, r.test_mode, r.settled_at, t.id AS transaction_id, t.amount_minor AS paid_minor, t.refunded_minor,
       a.payer_email, c.name AS client_name, c.accent
FROM refund r
JOIN transaction t ON t.id = r.transaction_id
JOIN attempt a ON a.id = t.approved_attempt
JOIN client c ON c.code = r.client_code
WHERE r.id = @id AND r.state = 'done';
