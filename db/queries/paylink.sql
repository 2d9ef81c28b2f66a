-- name: PaylinkShopList :many
-- Returns what the pay links of these shops depend on. An unknown code gets no row. now is the database's clock.
SELECT code, currency, time_zone, now()::timestamptz AS now FROM shop WHERE code = ANY(@codes::text[]) AND demo_open IS NOT FALSE;

-- name: PaylinkTestCount :one
-- Counts the pay links that a shop in test mode made within a day; 0 for one that is live.
SELECT count(*) FROM transaction t JOIN shop c ON c.code = t.shop_code
WHERE t.shop_code = @code AND NOT c.live AND t.kind = 'link' AND t.test_mode AND t.created_at > now() - interval '1 day';

-- name: PaylinkCreate :execrows
-- Stores all rows in one statement, or none if a shop has gone since it was looked up. A zero expiry means never. Mode, country and
-- trading name are the shop's, and so is the address for the receipt if none is given. A pay link never has an order's reference (POS,
-- QR; PAY-49), so trx_ref is the transaction's own id.
WITH wanted AS (
    SELECT unnest(@ids::text[]) AS id, unnest(@shop_codes::text[]) AS shop_code, unnest(@amounts::bigint[]) AS amount,
           unnest(@currencies::text[]) AS currency, unnest(@client_refs::text[]) AS client_ref,
           unnest(@descriptions::text[]) AS description, unnest(@expiries::timestamptz[]) AS expires_at,
           unnest(@receipt_mails::text[]) AS receipt_mail
), found AS (
    SELECT w.*, c.country_code, c.live, coalesce(nullif(c.pl_name, ''), c.name) AS pl_name,
           coalesce(nullif(w.receipt_mail, ''), nullif(c.pl_merchant_email, ''), c.mail) AS pl_merchant_email
    FROM wanted w JOIN shop c ON c.code = w.shop_code
), stored AS (
    INSERT INTO transaction (id, shop_code, amount_minor, currency, country_code, test_mode, description, source,
                             client_ref, trx_ref, kind, expires_at)
    SELECT f.id, f.shop_code, f.amount, f.currency, f.country_code, NOT f.live, f.description, 'PayLink',
           f.client_ref, f.id, 'link', nullif(f.expires_at, '0001-01-01 00:00:00+00')
    FROM found f
    WHERE (SELECT count(*) FROM found) = cardinality(@ids::text[])
    RETURNING id
)
INSERT INTO paylink (transaction_id, shop_code, pl_name, pl_merchant_email)
SELECT f.id, f.shop_code, f.pl_name, f.pl_merchant_email FROM found f JOIN stored s ON s.id = f.id;

-- name: PaylinkByReference :one
-- The first pay link of a merchant with a given reference.
SELECT p.transaction_id FROM paylink p JOIN transaction t ON t.id = p.transaction_id
WHERE p.shop_code = @shop_code AND t.client_ref = @client_ref
ORDER BY t.created_at, t.id LIMIT 1;

-- name: PaylinkList :many
-- Lists the pay links of a shop that come after a moment and an id, newest first. show is one of '', 'open', 'paid' and 'ended'; find is
-- part of a reference or a description, batch the id of a batch.
SELECT sqlc.embed(t), sqlc.embed(p), sqlc.embed(position),
       coalesce(t.status = 'new' AND t.expires_at <= now(), false)::boolean AS overdue,
       (t.differences <> '[]')::boolean AS in_question
FROM transaction t JOIN paylink p ON p.transaction_id = t.id JOIN position ON position.transaction_id = t.id
WHERE t.shop_code = @shop_code AND t.kind = 'link'
  AND (t.created_at, t.id) < (@before_at::timestamptz, @before_id::text)
  AND (@find::text = '' OR position(folded(@find::text) IN folded(t.client_ref || ' ' || t.description)) > 0)
  AND (@batch::text = '' OR EXISTS (SELECT FROM batch_row r WHERE r.transaction_id = t.id AND r.batch_id = @batch::text))
  AND CASE @show::text
      WHEN 'open' THEN t.status IN ('new', 'processing', 'error') AND (t.expires_at IS NULL OR t.expires_at > now())
      WHEN 'paid' THEN t.approved_attempt IS NOT NULL
      WHEN 'ended' THEN t.approved_attempt IS NULL AND (t.status = 'expired' OR t.expires_at <= now())
      ELSE true END
ORDER BY t.created_at DESC, t.id DESC LIMIT @at_most;

-- name: PaylinkGet :one
-- One pay link of a shop, as PaylinkList returns it.
SELECT sqlc.embed(t), sqlc.embed(p), sqlc.embed(position),
       coalesce(t.status = 'new' AND t.expires_at <= now(), false)::boolean AS overdue,
       (t.differences <> '[]')::boolean AS in_question
FROM transaction t JOIN paylink p ON p.transaction_id = t.id JOIN position ON position.transaction_id = t.id
WHERE t.id = @id AND t.shop_code = @shop_code AND t.kind = 'link';

-- name: PaylinkOpen :exec
-- Records that the payer opened a link for the first time.
UPDATE paylink SET opened_at = now() WHERE transaction_id = @id AND shop_code = @shop_code AND opened_at IS NULL;

-- name: PaylinkEnd :execrows
-- Ends a pay link unless somebody has paid it or is paying it.
WITH t AS (
    UPDATE transaction SET status = 'expired'
    WHERE transaction.id = @id AND transaction.shop_code = @shop_code AND transaction.kind = 'link' AND transaction.status IN ('new', 'error')
      AND EXISTS (SELECT FROM paylink l WHERE l.transaction_id = transaction.id)
    RETURNING id
)
UPDATE paylink SET ended_at = now() FROM t WHERE paylink.transaction_id = t.id;

-- name: PaylinkMailed :exec
-- Notes to whom the last letter was mailed, and when. A held letter was not emailed: if there was none before, only its address is noted.
UPDATE paylink SET
    payer_mail = CASE WHEN @sent::boolean OR mailed_at IS NULL THEN @payer_mail ELSE payer_mail END,
    mailed_at = CASE WHEN @sent::boolean THEN now() ELSE mailed_at END
WHERE transaction_id = @id AND shop_code = @shop_code;

-- name: PaylinkLetter :one
-- Returns what the letter with a pay link needs.
SELECT sqlc.embed(t), sqlc.embed(c), p.pl_name, p.payer_mail FROM transaction t
JOIN paylink p ON p.transaction_id = t.id JOIN shop c ON c.code = t.shop_code
WHERE t.id = @id AND t.kind = 'link' AND t.status IN ('new', 'error', 'processing') AND c.demo_open IS NOT FALSE;
