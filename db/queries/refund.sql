-- name: RefundOpen :one
-- Returns a transaction's undecided refund.
SELECT * FROM refund WHERE transaction_id = @transaction_id AND state IN ('open', 'pending', 'manual');

-- name: RefundEqual :one
-- Reports whether an equal refund was already made, so that a repeated command does not refund twice.
SELECT EXISTS (SELECT FROM refund
    WHERE transaction_id = @transaction_id AND amount_minor = @amount_minor AND state = 'done' AND attempt_id IS NULL);

-- name: RefundClaim :one
-- Reserves the amount on the transaction and opens the refund, in one statement. refunded_minor is what had been refunded when the caller
-- looked for an equal refund. No row: another refund came since, the transaction is not paid, less than the amount is left, or a restore
-- closed all payments.
WITH t AS (
    SELECT t.* FROM transaction t
    WHERE t.id = @transaction_id AND t.approved_attempt IS NOT NULL AND t.refunded_minor = @refunded_minor
      AND NOT EXISTS (SELECT FROM restore r WHERE r.reopened_at IS NULL OR r.held AND t.created_at < r.restored_at)
      AND t.refunded_minor + @amount_minor::bigint <= coalesce(t.captured_minor, t.amount_minor) - (
          SELECT coalesce(sum(d.amount_minor), 0) FROM dispute d WHERE d.transaction_id = t.id AND d.state = 'lost' AND d.currency = t.currency)
    FOR UPDATE
), reserved AS (
    UPDATE transaction SET refunded_minor = transaction.refunded_minor + @amount_minor::bigint
    FROM t WHERE transaction.id = t.id
)
INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, gateway, reason, request, trace, sent_at)
SELECT @id, t.id, t.shop_code, @amount_minor::bigint, t.currency, t.test_mode, @requested_by,
       now() + make_interval(secs => @lease_seconds::float8), @gateway::text, @reason, @request, @trace, NULL
FROM t
RETURNING *;

-- name: RefundGiveBack :one
-- Opens the refund of a whole capture, as a person decided, and stores the gateway's id of the capture. The attempt waits
-- until the refund is done. No row: the attempt does not wait for a person.
WITH a AS (
    UPDATE attempt SET transactionid = @transactionid::text, error_msg = 'it is being refunded'
    WHERE attempt.id = @attempt_id AND attempt.state = 'manual' RETURNING attempt.*
)
INSERT INTO refund (id, transaction_id, shop_code, amount_minor, currency, test_mode, requested_by, lease_until, gateway, attempt_id, request, trace, sent_at)
SELECT @id, a.transaction_id, a.shop_code, @amount_minor, @currency, a.test_mode, @requested_by,
       now() + make_interval(secs => @lease_seconds::float8), @gateway::text, a.id, @request, @trace, NULL
FROM a
RETURNING *;

-- name: RefundBook :exec
-- Books a refund on the transaction that its capture has just paid. The refund's trigger cancels the order.
WITH r AS (
    UPDATE refund SET attempt_id = NULL WHERE refund.id = @id RETURNING refund.transaction_id, refund.amount_minor
)
UPDATE transaction SET refunded_minor = r.amount_minor FROM r WHERE transaction.id = r.transaction_id;

-- name: RefundSend :one
-- Notes that a refund is sent, and returns the gateway's id of its capture.
WITH r AS (
    UPDATE refund SET sent_at = coalesce(refund.sent_at, now()) WHERE refund.id = @id RETURNING refund.transaction_id, refund.attempt_id
)
SELECT coalesce(a.transactionid, '')::text FROM r
JOIN transaction t ON t.id = r.transaction_id
LEFT JOIN attempt a ON a.id = coalesce(r.attempt_id, t.approved_attempt);

-- name: RefundDone :execrows
-- Only a person can end a refund that waits for one. The refund's trigger takes what is refunded from the kitchen.
UPDATE refund SET state = 'done', refundid = coalesce(nullif(@refundid::text, ''), refundid), settled_at = now(), error_msg = ''
WHERE id = @id AND (state IN ('open', 'pending') OR state = 'manual' AND @by_person::boolean);

-- name: RefundReopen :one
-- Gives a refund that the gateway has made, and that nobody waits for any more, to a person, and reserves its amount again if it was declined.
-- No row: it is done, or gives back a capture.
WITH was AS (
    SELECT f.id, f.state, f.transaction_id, f.amount_minor FROM refund f
    WHERE f.id = @id AND (f.state = 'manual' OR f.state = 'declined' AND f.attempt_id IS NULL) FOR UPDATE
), r AS (
    UPDATE refund SET state = 'manual', settled_at = NULL, refundid = coalesce(nullif(@refundid::text, ''), refund.refundid),
        error_msg = CASE was.state WHEN 'declined' THEN 'the gateway made it after it had been declined' ELSE 'the gateway made it' END
    FROM was WHERE refund.id = was.id
    RETURNING was.state, was.transaction_id, was.amount_minor
), reserved AS (
    UPDATE transaction SET refunded_minor = transaction.refunded_minor + r.amount_minor
    FROM r WHERE transaction.id = r.transaction_id AND r.state = 'declined'
)
SELECT r.state FROM r;

-- name: RefundDecline :execrows
WITH r AS (
    UPDATE refund SET state = 'declined', settled_at = now()
    WHERE refund.id = @id AND (refund.state IN ('open', 'pending') OR refund.state = 'manual' AND @by_person::boolean)
    RETURNING refund.transaction_id, refund.attempt_id, CASE WHEN refund.attempt_id IS NULL THEN refund.amount_minor ELSE 0 END AS reserved
), waits AS (
    UPDATE attempt SET error_msg = 'giving it back was declined' FROM r WHERE attempt.id = r.attempt_id
)
UPDATE transaction SET refunded_minor = refunded_minor - r.reserved
FROM r WHERE transaction.id = r.transaction_id;

-- name: RefundLease :many
UPDATE refund SET checks = checks + 1, lease_until = now() + make_interval(secs => @lease_seconds::float8)
WHERE id IN (
    SELECT r.id FROM refund r WHERE r.state IN ('open', 'pending') AND r.lease_until <= now()
      AND (r.gateway IS NULL OR r.gateway = ANY(@gateways::text[]))
    ORDER BY r.lease_until LIMIT @most::int FOR UPDATE SKIP LOCKED
)
RETURNING *;

-- name: RefundDefer :exec
-- The gateway is asked again after a quarter of the refund's age: after at most 15 s, or 10 minutes if it reported the refund as pending.
UPDATE refund SET state = CASE WHEN @pending::boolean THEN 'pending' ELSE state END,
    lease_until = now() + greatest(interval '1 second', least((now() - created_at) / 4,
        CASE WHEN @pending::boolean THEN interval '10 minutes' ELSE interval '15 seconds' END))
WHERE id = @id AND state IN ('open', 'pending');

-- name: RefundManual :execrows
-- A person has to decide; the reserved amount stays reserved.
UPDATE refund SET state = 'manual', error_msg = @error_msg
WHERE id = @id AND state IN ('open', 'pending');

-- name: RefundLock :exec
-- Keeps the kitchen from undoing lines that are being refunded.
SELECT FROM transaction t WHERE t.id = (SELECT r.transaction_id FROM refund r WHERE r.id = @id) FOR UPDATE;

-- name: RefundGet :one
SELECT * FROM refund WHERE id = @id;

-- name: RefundListUndecided :many
-- Lists undecided refunds, oldest first. late says that a person may decide the refund by now.
SELECT id, transaction_id, shop_code, amount_minor, currency, test_mode, state, error_msg, created_at, gateway,
    refund_waits(state, created_at, gateway, @gateways::text[])::boolean AS late
FROM refund WHERE state IN ('open', 'pending', 'manual') ORDER BY created_at;

-- name: RefundWaits :one
-- Reports whether a person may decide a refund.
SELECT EXISTS (SELECT FROM refund WHERE id = @id AND refund_waits(state, created_at, gateway, @gateways::text[]));

-- name: RefundQueue :many
-- Lists refunds that are not done: those that wait for a person, those still under way, those that the gateway declined, or all of them.
-- Undecided ones come first, oldest first; then the declined ones, newest first.
SELECT r.*, c.name AS shop_name,
    refund_waits(r.state, r.created_at, r.gateway, @gateways::text[])::boolean AS late
FROM refund r
JOIN shop c ON c.code = r.shop_code
WHERE r.state <> 'done' AND CASE @part::text
    WHEN 'waiting' THEN r.state <> 'declined' AND refund_waits(r.state, r.created_at, r.gateway, @gateways::text[])
    WHEN 'under_way' THEN r.state <> 'declined' AND NOT refund_waits(r.state, r.created_at, r.gateway, @gateways::text[])
    WHEN 'declined' THEN r.state = 'declined'
    ELSE true END
ORDER BY r.settled_at DESC NULLS FIRST, r.created_at, r.id
LIMIT @at_most OFFSET @skipped;

-- name: RefundQueueCount :one
SELECT count(*) FILTER (WHERE state <> 'declined' AND refund_waits(state, created_at, gateway, @gateways::text[])) AS waiting,
       count(*) FILTER (WHERE state <> 'declined' AND NOT refund_waits(state, created_at, gateway, @gateways::text[])) AS under_way,
       count(*) FILTER (WHERE state = 'declined') AS declined
FROM refund WHERE state <> 'done';

-- name: RefundCase :one
-- Returns a refund with everything that a person needs to decide it.
SELECT r.*, c.name AS shop_name, c.mail AS shop_mail, t.client_ref, t.description, t.paid_at,
       position.captured_minor AS paid_minor, coalesce(a.transactionid, '')::text AS transactionid
FROM refund r
JOIN shop c ON c.code = r.shop_code
JOIN transaction t ON t.id = r.transaction_id
LEFT JOIN attempt a ON a.id = coalesce(r.attempt_id, t.approved_attempt)
JOIN position ON position.transaction_id = t.id
WHERE r.id = @id;

-- name: CaptureName :execrows
-- Stores the gateway's id of a capture for which the gateway gave none. Zero rows: the id is known, or nobody paid.
WITH a AS (
    UPDATE attempt SET transactionid = @transactionid::text
    FROM transaction t WHERE t.id = @transaction_id AND attempt.id = t.approved_attempt AND attempt.transactionid IS NULL
    RETURNING attempt.transaction_id, attempt.transactionid
)
UPDATE transaction SET transactionid = a.transactionid FROM a WHERE transaction.id = a.transaction_id;

-- name: RefundLetter :one
-- Returns what a letter about a refund says.
SELECT r.amount_minor, r.currency, r.test_mode, r.settled_at, t.id AS transaction_id, position.captured_minor AS paid_minor,
       sqlc.embed(p), c.code AS shop_code, c.name AS shop_name, c.accent, c.time_zone
FROM refund r
JOIN transaction t ON t.id = r.transaction_id
JOIN payer p ON p.transaction_id = t.id
JOIN position ON position.transaction_id = t.id
JOIN shop c ON c.code = r.shop_code
WHERE r.id = @id AND r.state = 'done';

-- name: RefundDoneList :many
-- The refunds of a payment that are done, by the gateway's ids, oldest first.
SELECT coalesce(nullif(r.refundid, ''), r.id::text)::text AS name, r.amount_minor, r.currency, r.settled_at::timestamptz AS settled_at FROM refund r
WHERE r.transaction_id = @transaction_id AND r.state = 'done' AND r.attempt_id IS NULL ORDER BY r.settled_at, r.id;

-- name: RefundLineAdd :execrows
-- Notes which lines a refund is for. Zero rows: the order has fewer of that line left. RefundClaim has locked the transaction.
INSERT INTO refund_line (refund_id, transaction_id, line_no, qty)
SELECT @refund_id::uuid, l.transaction_id, l.line_no, @qty::int
FROM order_line l
WHERE l.transaction_id = @transaction_id AND l.line_no = @line_no AND l.qty - (
    SELECT coalesce(sum(x.qty), 0) FROM refund_line x JOIN refund r ON r.id = x.refund_id
    WHERE x.transaction_id = l.transaction_id AND x.line_no = l.line_no AND r.state <> 'declined') >= @qty::int;

-- name: RefundedBy :one
-- Returns how much of a payment somebody refunded, undecided refunds included, in minor units.
SELECT coalesce(sum(r.amount_minor), 0)::bigint FROM refund r
WHERE r.transaction_id = @transaction_id AND r.requested_by = @requested_by AND r.state <> 'declined';

-- name: RefundLimitList :many
SELECT role, most_minor FROM refund_limit WHERE shop_code = @shop_code;

-- name: RefundLimitSet :exec
INSERT INTO refund_limit (shop_code, role, most_minor) VALUES (@shop_code, @role, @most_minor)
ON CONFLICT (shop_code, role) DO UPDATE SET most_minor = excluded.most_minor;

-- name: RefundAskPut :execrows
-- Stores what somebody asks an owner to refund. Zero rows: somebody has asked already, and no owner has answered.
INSERT INTO refund_ask (transaction_id, shop_code, asked_by, amount_minor, reason, form)
SELECT t.id, t.shop_code, @asked_by, @amount_minor, @reason, @form FROM transaction t WHERE t.id = @transaction_id AND t.shop_code = @shop_code
ON CONFLICT (transaction_id) DO UPDATE
SET asked_by = excluded.asked_by, amount_minor = excluded.amount_minor, reason = excluded.reason, form = excluded.form, asked_at = now(), refused_by = ''
WHERE refund_ask.refused_by <> '';

-- name: RefundAskGet :one
SELECT * FROM refund_ask WHERE transaction_id = @transaction_id AND shop_code = @shop_code;

-- name: RefundAskRefuse :execrows
-- Zero rows: there is nothing to answer.
UPDATE refund_ask SET refused_by = @refused_by WHERE transaction_id = @transaction_id AND shop_code = @shop_code AND refused_by = '';
