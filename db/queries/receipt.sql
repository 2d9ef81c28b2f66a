-- name: ReceiptMake :one
-- Makes the receipt of the transaction that an attempt has just paid, and returns its possible recipients.
WITH made AS (
    INSERT INTO receipt (transaction_id, shop_code, token, business, merchant_mail, abn, gst_included, time_zone, street, phone, descriptor)
    SELECT t.id, t.shop_code, @token, coalesce(p.pl_name, c.name), coalesce(p.pl_merchant_email, c.mail), c.abn, c.gst_included,
           c.time_zone, c.street, c.phone, @descriptor
    FROM transaction t
    JOIN shop c ON c.code = t.shop_code
    LEFT JOIN paylink p ON p.transaction_id = t.id
    WHERE t.id = (SELECT transaction_id FROM attempt WHERE id = @attempt_id)
    RETURNING receipt.transaction_id, receipt.shop_code, receipt.merchant_mail
)
SELECT made.transaction_id, (CASE WHEN c.mail_receipts THEN made.merchant_mail ELSE '' END)::text AS merchant_mail, a.payer_email, a.consumer_email
FROM made JOIN attempt a ON a.id = @attempt_id JOIN shop c ON c.code = made.shop_code;

-- name: ReceiptByToken :one
-- The transaction of the receipt with a token.
SELECT transaction_id FROM receipt WHERE token = @token;

-- name: ReceiptZone :one
SELECT time_zone FROM receipt WHERE transaction_id = @transaction_id;

-- name: ReceiptAsk :execrows
-- Stores the address of a payer who left none before. Zero rows: there is one already, or the payer was erased.
UPDATE receipt SET asked_mail = @address WHERE transaction_id = @transaction_id AND asked_mail IS NULL
  AND NOT EXISTS (SELECT FROM erasure e WHERE e.subject = 'payer ' || receipt.transaction_id);

-- name: ReceiptGet :one
-- RCPT-05: returns everything on a receipt except the lines.
SELECT sqlc.embed(r), sqlc.embed(position), t.currency, t.test_mode, t.order_no,
       (SELECT coalesce(sum(m.gst_minor), 0) FROM movement m WHERE m.transaction_id = t.id AND m.kind = 'capture')::bigint AS gst_minor,
       t.description, t.client_ref, t.table_name,
       t.customer_name, t.paid_at, t.transactionid, a.method, a.bank_transaction_no, a.gateway_reference, a.card_brand,
       a.card_last_four, a.payer_name, a.consumer_name, sqlc.embed(p), sqlc.embed(c),
       EXISTS (SELECT FROM paylink l WHERE l.transaction_id = t.id) AS paylink,
       EXISTS (SELECT FROM erasure e WHERE e.subject = 'payer ' || t.id) AS erased
FROM receipt r
JOIN transaction t ON t.id = r.transaction_id
JOIN attempt a ON a.id = t.approved_attempt
JOIN shop c ON c.code = r.shop_code
JOIN payer p ON p.transaction_id = t.id
JOIN position ON position.transaction_id = t.id
WHERE r.transaction_id = @transaction_id;

-- name: ReceiptKeyAdd :exec
INSERT INTO receipt_key (public, sealed) VALUES (@public, @sealed) ON CONFLICT (public) DO NOTHING;

-- name: ReceiptKeyList :many
SELECT public, sealed FROM receipt_key ORDER BY created_at;
