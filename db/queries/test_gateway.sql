-- name: TestPaymentAdd :execrows
-- Zero rows: the reference was already paid or declined; it gets the same answer again. The last 10,000 of a merchant are kept.
WITH old AS (
    DELETE FROM test_payment p WHERE p.merchant_uuid = @merchant_uuid AND p.reference <> @reference AND p.created_at < (
        SELECT o.created_at FROM test_payment o WHERE o.merchant_uuid = @merchant_uuid ORDER BY o.created_at DESC OFFSET 9998 LIMIT 1
    )
)
INSERT INTO test_payment (merchant_uuid, reference, transactionid, amount_minor, currency, last_four, statuscode, errordesc, code, bank_no)
VALUES (@merchant_uuid, @reference, @transactionid, @amount_minor, @currency, @last_four, @statuscode, @errordesc, @code, @bank_no)
ON CONFLICT (merchant_uuid, reference) DO NOTHING;

-- name: TestPaymentGet :one
SELECT * FROM test_payment WHERE merchant_uuid = @merchant_uuid AND reference = @reference;

-- name: TestCallAdd :exec
INSERT INTO test_call (merchant_uuid, method, path, status, body, note)
VALUES (@merchant_uuid, @method, @path, @status, @body, @note);

-- name: TestCallPrune :exec
-- Keeps the last hundred calls.
DELETE FROM test_call c WHERE c.merchant_uuid = @merchant_uuid AND c.id <= (
    SELECT o.id FROM test_call o WHERE o.merchant_uuid = c.merchant_uuid ORDER BY o.id DESC OFFSET 100 LIMIT 1
);

-- name: TestCallList :many
SELECT id, at, method, path, status, body, note FROM test_call WHERE merchant_uuid = @merchant_uuid ORDER BY id DESC LIMIT 100;
