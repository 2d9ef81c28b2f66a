-- name: AttemptClaim :one
-- Takes the transaction for one attempt, in one statement. No row: it was not free, or an item sold out, or no kitchen
-- listens, or its mode or time passed, or a restore closed all payments; the caller looks up which. The lease is when the sweep may look at the attempt.
WITH t AS (
    SELECT t.* FROM transaction t
    JOIN client c ON c.code = t.client_code
    WHERE t.id = @transaction_id AND t.client_code = @client_code
      AND t.status = 'new'
      AND NOT EXISTS (SELECT FROM restore r WHERE r.reopened_at IS NULL OR r.held AND t.created_at < r.restored_at)
      AND (t.expires_at IS NULL OR t.expires_at > now())
      AND t.test_mode = NOT c.live AND c.demo_open IS NOT FALSE
      AND NOT EXISTS (
          SELECT FROM order_line l JOIN item i ON i.id = l.item_id
          WHERE l.transaction_id = t.id AND (i.sold_out OR NOT i.available))
      AND (t.kind = 'link' OR NOT EXISTS (SELECT FROM kitchen_closed k WHERE k.client_code = t.client_code))
    FOR UPDATE OF t
), a AS (
    INSERT INTO attempt (id, transaction_id, client_code, amount_minor, currency, test_mode, method, form_key,
                         lease_until, card_brand, card_last_four, card_expiry, payer_name,
                         payer_email, card_hash, address_hash, gateway)
    SELECT @id, t.id, t.client_code, t.amount_minor, t.currency, t.test_mode, @method, @form_key,
           now() + make_interval(secs => @lease_seconds::float8), @card_brand, @card_last_four, @card_expiry, @payer_name,
           @payer_email, @card_hash, @address_hash, @gateway::text
    FROM t
)
UPDATE transaction SET status = 'processing', error_msg = ''
FROM t WHERE transaction.id = t.id
RETURNING t.amount_minor, t.currency, t.test_mode;

-- name: AttemptByKey :one
SELECT * FROM attempt
WHERE transaction_id = @transaction_id AND client_code = @client_code AND form_key = @form_key;

-- name: AttemptGet :one
SELECT * FROM attempt WHERE id = $1;

-- name: AttemptApprove :execrows
-- Zero rows means that it was settled by somebody else first, and nothing changed. A person moves what waits for a person, and
-- nothing else; the gateway's answers move all but that.
WITH t AS (
    SELECT t.id FROM transaction t
    WHERE t.id = (SELECT a.transaction_id FROM attempt a WHERE a.id = @id)
      AND t.status = 'processing' AND t.approved_attempt IS NULL
    FOR UPDATE
), a AS (
    UPDATE attempt
    SET state = 'approved', settled_at = now(), transactionid = nullif(@transactionid::text, ''), code = @code,
        bank_transaction_no = @bank_transaction_no, gateway_reference = @gateway_reference, error_msg = '',
        consumer_name = @consumer_name, consumer_email = @consumer_email
    FROM t
    WHERE attempt.id = @id AND attempt.transaction_id = t.id
      AND CASE WHEN @by_person::boolean THEN attempt.state = 'manual' ELSE attempt.state IN ('submitting', 'redirected', 'unknown') END
    RETURNING attempt.id AS attempt_id, attempt.transaction_id
)
UPDATE transaction
SET status = CASE WHEN EXISTS (SELECT FROM order_line l WHERE l.transaction_id = transaction.id)
                  THEN 'success' ELSE 'paid' END,
    approved_attempt = a.attempt_id, paid_at = now(), transactionid = @transactionid::text, code = @code, error_msg = ''
FROM a WHERE transaction.id = a.transaction_id;

-- name: AttemptRefuse :execrows
-- Ends an attempt without money: state is declined or not_charged. Who moves what, and zero rows: as AttemptApprove.
WITH t AS (
    SELECT t.id FROM transaction t
    WHERE t.id = (SELECT a.transaction_id FROM attempt a WHERE a.id = @id)
      AND t.status = 'processing' AND t.approved_attempt IS NULL
    FOR UPDATE
), a AS (
    UPDATE attempt
    SET state = @state, settled_at = now(), transactionid = nullif(@transactionid::text, ''), code = @code,
        error_msg = @error_msg
    FROM t
    WHERE attempt.id = @id AND attempt.transaction_id = t.id
      AND CASE WHEN @by_person::boolean THEN attempt.state = 'manual' ELSE attempt.state IN ('submitting', 'redirected', 'unknown') END
    RETURNING attempt.transaction_id
)
UPDATE transaction SET status = 'error', error_msg = @error_msg, code = @code
FROM a WHERE transaction.id = a.transaction_id;

-- name: AttemptRedirect :execrows
-- The customer is off to the bank; the sweep looks again after the lease.
UPDATE attempt SET state = 'redirected', redirect_url = @redirect_url, lease_until = now() + make_interval(secs => @lease_seconds::float8)
WHERE id = @id AND state = 'submitting';

-- name: AttemptUnknown :execrows
-- The answer told nothing; the sweep may resolve it at once.
UPDATE attempt SET state = 'unknown', lease_until = now(), error_msg = @error_msg
WHERE id = @id AND state IN ('submitting', 'redirected', 'unknown');

-- name: AttemptManual :execrows
-- A person has to decide; the transaction stays processing.
UPDATE attempt SET state = 'manual', error_msg = @error_msg
WHERE id = @id AND state IN ('submitting', 'redirected', 'unknown');

-- name: AttemptLease :many
-- Takes attempts whose lease has run out for this sweep alone, of those that were sent to one of gateways. The lease outlasts the call.
UPDATE attempt SET checks = checks + 1, lease_until = now() + make_interval(secs => @lease_seconds::float8)
WHERE id IN (
    SELECT a.id FROM attempt a
    WHERE a.state IN ('submitting', 'redirected', 'unknown') AND a.lease_until <= now()
      AND (a.gateway IS NULL OR a.gateway = ANY(@gateways::text[]))
    ORDER BY a.lease_until
    LIMIT @most::int
    FOR UPDATE SKIP LOCKED
)
RETURNING id, transaction_id, client_code, amount_minor, currency, test_mode, method, state, gateway,
    (created_at < now() - interval '10 minutes')::boolean AS challenge_over,
    (created_at < now() - interval '5 minutes')::boolean AS late;

-- name: AttemptLeaseChallenge :one
-- Takes an attempt that waits for its customer's bank, because the customer asks for it: not oftener than each second.
UPDATE attempt SET checks = checks + 1, lease_until = now() + interval '5 seconds'
WHERE id = (
    SELECT a.id FROM attempt a
    WHERE a.transaction_id = @transaction_id AND a.client_code = @client_code AND a.state = 'redirected'
      AND (a.lease_until <= now() + interval '4 seconds' OR @now::boolean)
      AND (a.gateway IS NULL OR a.gateway = ANY(@gateways::text[]))
    FOR UPDATE SKIP LOCKED
)
RETURNING id, transaction_id, client_code, amount_minor, currency, test_mode, method, state, gateway,
    (created_at < now() - interval '10 minutes')::boolean AS challenge_over,
    (created_at < now() - interval '5 minutes')::boolean AS late;

-- name: AttemptDefer :exec
-- Nobody knows yet: look again after a pause that grows with the attempt's age to 15 s, a bank's challenge every 5 s. It does
-- not grow with the number of looks: some of those may fail in a row, and within a minute a dozen have to fit.
UPDATE attempt SET lease_until = now() + CASE
        WHEN state = 'redirected' THEN interval '5 seconds'
        ELSE least(interval '15 seconds', greatest(interval '1 second', (now() - created_at) / 4)) END
WHERE id = @id AND state IN ('submitting', 'redirected', 'unknown');

-- name: DiscrepancyAdd :execrows
INSERT INTO discrepancy (attempt_id, ours, theirs, detail) VALUES (@attempt_id, @ours, @theirs, @detail)
ON CONFLICT (attempt_id, ours, theirs) DO NOTHING;

-- name: AttemptFailures :one
-- What counts against a payer: declines of live payments within the last hour, and when each count's oldest will no longer
-- count. Nothing counts against a transaction in test mode. All payments of a business are counted only from merchant_limit declines on.
WITH tries AS (
    SELECT count(*) AS declined FROM attempt a WHERE a.transaction_id = @transaction_id AND a.state = 'declined'
), recent AS (
    SELECT count(*) FILTER (WHERE a.card_hash = @card_hash) AS by_card, count(*) AS by_address,
           count(*) FILTER (WHERE a.client_code = @client_code) AS here, min(a.settled_at) AS oldest
    FROM attempt a
    WHERE a.state = 'declined' AND NOT a.test_mode AND a.settled_at > now() - interval '1 hour'
      AND a.address_hash = @address_hash
), merchant AS (
    SELECT count(*) AS declined
    FROM attempt a
    WHERE a.client_code = @client_code AND NOT a.test_mode AND a.state = 'declined' AND a.settled_at > now() - interval '1 hour'
)
SELECT tries.declined::int AS by_transaction, recent.by_card::int AS by_card, recent.by_address::int AS by_address,
       recent.here::int AS by_address_here, merchant.declined::int AS merchant_declined,
       (CASE WHEN merchant.declined >= @merchant_limit::bigint THEN (
           SELECT count(*) FROM attempt a
           WHERE a.client_code = @client_code AND NOT a.test_mode AND a.settled_at > now() - interval '1 hour'
       ) ELSE 0 END)::int AS merchant_settled,
       coalesce(extract(epoch FROM recent.oldest + interval '1 hour' - now()), 0)::float8 AS wait_seconds
FROM transaction t, tries, recent, merchant
WHERE t.id = @transaction_id AND t.client_code = @client_code AND NOT t.test_mode;
