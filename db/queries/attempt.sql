-- name: AttemptClaim :one
-- Claims the transaction for one attempt, in one statement. No row: it was not free, an item or an option is sold out, no kitchen watches,
-- its mode has changed or its time has passed, a restore closed all payments, its money is in question, it has too many declines, or it is
-- live and LimitCount did not count the attempt. The caller looks up which. The sweep may look at the attempt once the lease has ended.
WITH t AS (
    SELECT t.* FROM transaction t
    JOIN shop c ON c.code = t.shop_code
    WHERE t.id = @transaction_id AND t.shop_code = @shop_code
      AND t.status = 'new'
      AND NOT EXISTS (SELECT FROM restore r WHERE r.reopened_at IS NULL OR r.held AND t.created_at < r.restored_at)
      AND t.differences = '[]'
      AND (t.expires_at IS NULL OR t.expires_at > now())
      AND t.test_mode = NOT c.live AND c.demo_open IS NOT FALSE
      AND NOT EXISTS (
          SELECT FROM order_line l JOIN item i ON i.id = l.item_id
          WHERE l.transaction_id = t.id AND (sold_out_now(i.sold_out, i.sold_out_until) OR NOT i.available))
      AND NOT EXISTS (
          SELECT FROM order_line l CROSS JOIN jsonb_array_elements(l.options) b
          LEFT JOIN option_choice o ON o.shop_code = l.shop_code AND o.id = (b.value ->> 'id')::bigint
          WHERE l.transaction_id = t.id AND (o.id IS NULL OR NOT o.available OR sold_out_now(o.sold_out, o.sold_out_until)))
      AND (t.kind = 'link' OR NOT EXISTS (SELECT FROM kitchen_closed k WHERE k.shop_code = t.shop_code))
      AND (t.test_mode OR EXISTS (SELECT FROM limit_try r WHERE r.attempt = @id))
      AND @transaction_limit::int > (
          SELECT count(*) / CASE WHEN t.test_mode THEN 20 ELSE 1 END FROM attempt a
          WHERE a.transaction_id = t.id AND attempt_failed(a.state, a.redirect_url) AND a.settled_at > now() - @limit_window::interval)
    FOR UPDATE OF t
), a AS (
    INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key,
                         lease_until, card_brand, card_last_four, card_expiry, payer_name,
                         payer_email, gateway, request, trace)
    SELECT @id, t.id, t.shop_code, t.amount_minor, t.currency, t.test_mode, @method, @form_key,
           now() + make_interval(secs => @lease_seconds::float8), @card_brand, @card_last_four, @card_expiry, @payer_name,
           @payer_email, @gateway::text, @request, @trace
    FROM t
    RETURNING attempt.transaction_id, attempt.amount_minor, attempt.currency, attempt.test_mode
)
UPDATE transaction SET status = 'processing', error_msg = ''
FROM a WHERE transaction.id = a.transaction_id
RETURNING a.amount_minor, a.currency, a.test_mode;

-- name: AttemptByKey :one
SELECT * FROM attempt
WHERE transaction_id = @transaction_id AND shop_code = @shop_code AND form_key = @form_key;

-- name: AttemptGet :one
SELECT * FROM attempt WHERE id = $1;

-- name: AttemptApprove :execrows
-- Zero rows: it was settled before, and nothing changed. A person may end an attempt for which attempt_waits is true; the gateway's answers
-- end every other open one. redirect_url is where the payer goes now, if anywhere.
WITH t AS (
    SELECT t.id FROM transaction t
    WHERE t.id = (SELECT a.transaction_id FROM attempt a WHERE a.id = @id)
      AND t.status = 'processing' AND t.approved_attempt IS NULL
    FOR UPDATE
), a AS (
    UPDATE attempt
    SET state = 'approved', settled_at = now(), transactionid = coalesce(nullif(@transactionid::text, ''), attempt.transactionid),
        code = coalesce(nullif(@code::text, ''), attempt.code), captured_minor = nullif(@captured_minor::bigint, 0),
        bank_transaction_no = @bank_transaction_no, gateway_reference = @gateway_reference, error_msg = '',
        consumer_name = @consumer_name, consumer_email = @consumer_email, redirect_url = @redirect_url::text
    FROM t
    WHERE attempt.id = @id AND attempt.transaction_id = t.id
      AND CASE WHEN @by_person::boolean
          THEN attempt_waits(attempt.state, attempt.created_at, attempt.gateway, @gateways::text[])
          ELSE attempt.state IN ('submitting', 'redirected', 'unknown') END
    RETURNING attempt.id AS attempt_id, attempt.transaction_id, attempt.transactionid, attempt.code, attempt.captured_minor
)
UPDATE transaction
SET status = CASE WHEN EXISTS (SELECT FROM order_line l WHERE l.transaction_id = transaction.id)
                  THEN 'success' ELSE 'paid' END,
    approved_attempt = a.attempt_id, paid_at = now(), transactionid = coalesce(a.transactionid, ''), code = a.code, error_msg = '',
    captured_minor = a.captured_minor
FROM a WHERE transaction.id = a.transaction_id;

-- name: AttemptRefuse :execrows
-- Ends an attempt that moved no money: state is declined or not_charged. AttemptApprove says who may end which attempt and what zero rows
-- mean. unconfirmed means that the gateway has not said so and may still charge: nobody can pay the transaction again.
WITH t AS (
    SELECT t.id FROM transaction t
    WHERE t.id = (SELECT a.transaction_id FROM attempt a WHERE a.id = @id)
      AND t.status = 'processing' AND t.approved_attempt IS NULL
    FOR UPDATE
), a AS (
    UPDATE attempt
    SET state = @state, settled_at = now(), transactionid = coalesce(nullif(@transactionid::text, ''), attempt.transactionid),
        code = coalesce(nullif(@code::text, ''), attempt.code),
        error_msg = @error_msg
    FROM t
    WHERE attempt.id = @id AND attempt.transaction_id = t.id
      AND CASE WHEN @by_person::boolean
          THEN attempt_waits(attempt.state, attempt.created_at, attempt.gateway, @gateways::text[])
          ELSE attempt.state IN ('submitting', 'redirected', 'unknown') END
    RETURNING attempt.transaction_id, attempt.code
)
UPDATE transaction SET status = CASE WHEN @unconfirmed::boolean THEN 'expired' ELSE 'error' END, error_msg = @error_msg, code = a.code
FROM a WHERE transaction.id = a.transaction_id;

-- name: AttemptRedirect :execrows
-- The customer is at the bank. The sweep looks again after the lease.
UPDATE attempt SET state = 'redirected', redirect_url = @redirect_url, lease_until = now() + make_interval(secs => @lease_seconds::float8)
WHERE id = @id AND state = 'submitting';

-- name: AttemptUnknown :execrows
-- The answer was not conclusive; the sweep may resolve it at once.
UPDATE attempt SET state = 'unknown', lease_until = now(), error_msg = @error_msg
WHERE id = @id AND state IN ('submitting', 'redirected', 'unknown');

-- name: AttemptKeepDetails :exec
-- Stores the details that the gateway gave with an outcome that does not approve the attempt. Details that it did not give stay unchanged.
UPDATE attempt
SET transactionid = coalesce(nullif(@transactionid::text, ''), transactionid), code = coalesce(nullif(@code::text, ''), code),
    told_minor = coalesce(nullif(@told_minor::bigint, 0), told_minor), told_currency = coalesce(nullif(@told_currency::text, ''), told_currency)
WHERE id = @id AND state IN ('submitting', 'redirected', 'unknown');

-- name: AttemptCase :one
-- Returns an attempt with everything that a person needs to decide it.
SELECT a.*, c.name AS shop_name, c.mail AS shop_mail, t.client_ref, t.description
FROM attempt a
JOIN shop c ON c.code = a.shop_code
JOIN transaction t ON t.id = a.transaction_id
WHERE a.id = @id;

-- name: AttemptWaits :one
-- Reports whether a person may decide an attempt.
SELECT EXISTS (SELECT FROM attempt a WHERE a.id = @id AND attempt_waits(a.state, a.created_at, a.gateway, @gateways::text[]));

-- name: AttemptManual :execrows
-- A person has to decide; the transaction stays processing.
UPDATE attempt SET state = 'manual', error_msg = @error_msg
WHERE id = @id AND state IN ('submitting', 'redirected', 'unknown');

-- name: AttemptLease :many
-- Leases to this sweep alone the attempts at gateways whose lease has ended. The new lease outlasts the call.
UPDATE attempt SET checks = checks + 1, lease_until = now() + make_interval(secs => @lease_seconds::float8)
WHERE id IN (
    SELECT a.id FROM attempt a
    WHERE a.state IN ('submitting', 'redirected', 'unknown') AND a.lease_until <= now()
      AND (a.gateway IS NULL OR a.gateway = ANY(@gateways::text[]))
    ORDER BY a.lease_until
    LIMIT @most::int
    FOR UPDATE SKIP LOCKED
)
RETURNING id, transaction_id, shop_code, amount_minor, currency, test_mode, method, state, gateway, request, trace,
    (now() - created_at)::interval AS age;

-- name: AttemptLeaseChallenge :one
-- Leases an attempt that waits for the customer's bank because the customer asks about it, at most once a second.
UPDATE attempt SET checks = checks + 1, lease_until = now() + interval '5 seconds'
WHERE id = (
    SELECT a.id FROM attempt a
    WHERE a.transaction_id = @transaction_id AND a.shop_code = @shop_code AND a.state = 'redirected'
      AND (a.lease_until <= now() + interval '4 seconds' OR @now::boolean)
      AND (a.gateway IS NULL OR a.gateway = ANY(@gateways::text[]))
    FOR UPDATE SKIP LOCKED
)
RETURNING id, transaction_id, shop_code, amount_minor, currency, test_mode, method, state, gateway, request, trace,
    (now() - created_at)::interval AS age;

-- name: AttemptDefer :exec
-- The outcome is still unknown: look again after a pause that grows with the attempt's age to 15 s, or every 5 s during a bank's challenge.
-- The pause does not grow with the number of looks: several may fail in a row, and there must be a dozen in a minute.
UPDATE attempt SET lease_until = now() + CASE
        WHEN state = 'redirected' THEN interval '5 seconds'
        ELSE least(interval '15 seconds', greatest(interval '1 second', (now() - created_at) / 4)) END
WHERE id = @id AND state IN ('submitting', 'redirected', 'unknown');

-- name: AttemptLater :execrows
-- Notes that the gateway contradicts what was settled. Zero rows: that is known.
UPDATE attempt SET later = @says WHERE id = @id AND later <> @says;

-- name: AttemptLock :exec
-- Makes decisions on the attempts of a transaction wait for each other.
SELECT FROM transaction WHERE id = @transaction_id FOR UPDATE;

-- name: CaptureOwner :one
-- Returns the transaction of another approved attempt that has the given id at the same gateway.
SELECT b.transaction_id FROM attempt a
JOIN attempt b ON b.transactionid = @transactionid::text AND b.shop_code = a.shop_code AND b.test_mode = a.test_mode
    AND coalesce(b.gateway, '') = coalesce(a.gateway, '') AND b.state = 'approved' AND b.id <> a.id
WHERE a.id = @id;

-- name: CaptureForget :exec
-- Clears a capture's id that belongs to another payment.
UPDATE attempt SET transactionid = NULL WHERE id = @id;
