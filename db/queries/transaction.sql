-- name: TransactionCreateOrder :execrows
-- Stores an order as it was priced from a menu, with its key and lines, in one statement that returns the number of lines. Zero means that
-- nothing was stored: since that menu was read it was published anew, something of the order sold out, ordering paused or the business
-- changed; or the key is in use.
WITH stored AS (
    INSERT INTO transaction (id, shop_code, amount_minor, currency, country_code, test_mode, description, source,
                             client_ref, trx_ref, table_name, customer_name, push_token, kind, expires_at, origin, taxed_minor)
    SELECT @id, c.code, @amount_minor, c.currency, c.country_code, NOT c.live, @description, @source,
           '', @trx_ref, @table_name, @customer_name, @push_token, 'order',
           now() + @unpaid_for::interval, sqlc.narg(origin)::bytea, sqlc.narg(taxed_minor)::bigint
    FROM shop c
    WHERE c.code = @shop_code AND c.demo_open IS NOT FALSE AND c.currency = @currency AND c.live = @live
      AND @revision::int = coalesce((SELECT max(v.no) FROM menu_version v WHERE v.shop_code = c.code), 0)
      AND NOT EXISTS (SELECT FROM item i
          WHERE i.shop_code = c.code AND i.id = ANY (@item_ids::bigint[]) AND sold_out_now(i.sold_out, i.sold_out_until))
      AND NOT EXISTS (SELECT FROM option_choice o
          WHERE o.shop_code = c.code AND o.id = ANY (@choice_ids::bigint[]) AND sold_out_now(o.sold_out, o.sold_out_until))
      AND NOT EXISTS (SELECT FROM kitchen_closed k WHERE k.shop_code = c.code)
      AND NOT EXISTS (SELECT FROM order_key k WHERE k.shop_code = @shop_code AND k.key = @key)
    RETURNING id, shop_code
), keyed AS (
    INSERT INTO order_key (shop_code, key, content_hash, transaction_id)
    SELECT shop_code, @key, @content_hash, id FROM stored WHERE @key <> ''
), line AS (
    SELECT generate_subscripts(@names::text[], 1) AS n, unnest(@kinds::text[]) AS kind, nullif(unnest(@item_ids::bigint[]), 0) AS item_id, unnest(@names::text[]) AS name,
           unnest(@prices::bigint[]) AS price_minor, unnest(@qtys::int[]) AS qty, unnest(@locs::text[]) AS loc,
           unnest(@pictures::text[]) AS picture, unnest(@options::text[])::jsonb AS options, unnest(@notes::text[]) AS note,
           unnest(@taxed::bigint[]) AS taxed_minor
)
INSERT INTO order_line (transaction_id, line_no, shop_code, kind, status, item_id, name, price_minor, qty, loc, picture, options, note, taxed_minor)
SELECT s.id, l.n, s.shop_code, l.kind, CASE l.kind WHEN 'item' THEN 'open' ELSE 'extra' END, l.item_id, l.name, l.price_minor, l.qty, l.loc, l.picture,
       l.options, l.note, l.taxed_minor FROM stored s, line l;

-- name: OrderKeyGet :one
SELECT k.transaction_id, k.content_hash FROM order_key k
WHERE k.shop_code = @shop_code AND k.key = @key;

-- name: TransactionPaid :one
SELECT (approved_attempt IS NOT NULL)::boolean AS paid FROM transaction WHERE id = @id AND shop_code = @shop_code;

-- name: TransactionPaidOf :one
-- Returns one of these orders of a shop that is paid, not in test mode, or "".
SELECT coalesce((SELECT id FROM transaction
    WHERE shop_code = @shop_code AND id = ANY (@ids::text[]) AND approved_attempt IS NOT NULL AND NOT test_mode ORDER BY id LIMIT 1), '')::text AS id;

-- name: TransactionMakeRoom :execrows
-- Ends the oldest unpaid order from an origin whose page was not shown lately.
UPDATE transaction SET status = 'expired' WHERE id = (
    SELECT t.id FROM transaction t
    WHERE t.origin = @origin::bytea AND t.status = 'new' AND (t.shown_at IS NULL OR t.shown_at < now() - @shown_for::interval)
    ORDER BY t.created_at, t.id LIMIT 1 FOR UPDATE SKIP LOCKED
);

-- name: TransactionShown :exec
-- Notes that somebody looks at an unpaid order that counts against a limit.
UPDATE transaction SET shown_at = now() WHERE id = @id AND shop_code = @shop_code AND origin IS NOT NULL AND status = 'new';

-- name: TransactionRunning :one
-- Finds the latest of these orders that its guest still waits for: paid within three hours, not refunded, and still being made or ready for
-- less than a quarter of an hour.
SELECT t.id, t.table_name, t.status FROM transaction t
WHERE t.shop_code = @shop_code AND t.id = ANY (@ids::text[]) AND t.kind = 'order' AND t.paid_at > now() - interval '3 hours'
  AND (t.status = 'success' OR t.status = 'completed' AND EXISTS (
      SELECT FROM order_line l WHERE l.transaction_id = t.id AND l.done_at > now() - interval '15 minutes'
  ))
  AND EXISTS (SELECT FROM position p WHERE p.transaction_id = t.id AND p.captured_minor > p.refunded_minor)
ORDER BY t.paid_at DESC LIMIT 1;

-- name: OrderKeyPrune :execrows
WITH old AS (
    SELECT shop_code, key FROM order_key WHERE created_at < now() - interval '24 hours' LIMIT @at_most FOR UPDATE SKIP LOCKED
)
DELETE FROM order_key USING old WHERE order_key.shop_code = old.shop_code AND order_key.key = old.key;

-- name: TransactionGet :one
-- Returns a transaction with its merchant's name and looks, its latest attempt, and whether its mode has a paylink key. The shop is part
-- of the key, so another merchant's id reads as missing. pl_name is the trading name on a pay link, and empty for an order.
SELECT sqlc.embed(t), sqlc.embed(c), sqlc.embed(position),
       now()::timestamptz AS now,
       coalesce(t.status = 'new' AND t.expires_at <= now(), false)::boolean AS overdue,
       (t.differences <> '[]')::boolean AS in_question,
       coalesce(a.state, '') AS attempt_state,
       coalesce(a.redirect_url, '')::text AS redirect_url,
       coalesce(p.pl_name, '')::text AS pl_name,
       (p.opened_at IS NOT NULL)::boolean AS opened,
       (p.ended_at IS NOT NULL)::boolean AS ended,
       coalesce(a.method, '') AS attempt_method,
       EXISTS (SELECT FROM shop_account k WHERE k.shop_code = t.shop_code AND k.live = NOT t.test_mode)::boolean AS paylink,
       coalesce(r.token, '')::text AS receipt_token
FROM transaction t
JOIN shop c ON c.code = t.shop_code
JOIN position ON position.transaction_id = t.id
LEFT JOIN paylink p ON p.transaction_id = t.id
LEFT JOIN receipt r ON r.transaction_id = t.id
LEFT JOIN LATERAL (
    SELECT state, redirect_url, method FROM attempt WHERE transaction_id = t.id ORDER BY created_at DESC LIMIT 1
) a ON true
WHERE t.id = @id AND t.shop_code = @shop_code AND c.demo_open IS NOT FALSE;

-- name: TransactionWallet :one
-- Returns what a wallet needs to pay a transaction: the paylink key of its mode (PAY-52). No row: no wallet can pay it (WALLET-01), or it
-- is not this shop's.
SELECT t.description, k.paylink_mid FROM transaction t
JOIN shop_account k ON k.shop_code = t.shop_code AND k.live = NOT t.test_mode
WHERE t.id = @id AND t.shop_code = @shop_code AND t.currency = 'AUD';

-- name: OrderLineList :many
-- Lists the lines of an order as they were bought, with the menu's present data about each item, which are empty once the item is gone.
-- gone_option is the line's first option that is no longer available.
SELECT l.line_no, l.kind, l.item_id, l.name, l.price_minor, l.qty, l.taxed_minor, l.refunded_qty, l.loc, l.picture, l.options, l.note, l.status,
       coalesce(c.name, '')::text AS category, coalesce(i.description, '')::text AS description,
       coalesce(i.available, false)::boolean AS available, coalesce(sold_out_now(i.sold_out, i.sold_out_until), false)::boolean AS sold_out,
       coalesce(CASE WHEN l.options <> '[]' THEN (
           SELECT b.value ->> 'name' FROM jsonb_array_elements(l.options) WITH ORDINALITY AS b (value, n)
           LEFT JOIN option_choice o ON o.shop_code = l.shop_code AND o.id = (b.value ->> 'id')::bigint
           WHERE o.id IS NULL OR NOT o.available OR sold_out_now(o.sold_out, o.sold_out_until)
           ORDER BY b.n LIMIT 1) END, '')::text AS gone_option
FROM order_line l
LEFT JOIN item i ON i.id = l.item_id
LEFT JOIN category c ON c.id = i.category_id
WHERE l.transaction_id = @transaction_id AND l.shop_code = @shop_code
ORDER BY l.line_no;

-- name: TransactionRetry :execrows
-- Try Again: lets a declined transaction be paid again, unless its money is in question.
UPDATE transaction SET status = 'new', error_msg = ''
WHERE id = @id AND shop_code = @shop_code AND status = 'error'
  AND differences = '[]';

-- name: TransactionExpire :execrows
WITH due AS (
    SELECT id FROM transaction WHERE status = 'new' AND expires_at <= now() LIMIT @at_most FOR UPDATE SKIP LOCKED
)
UPDATE transaction SET status = 'expired' FROM due WHERE transaction.id = due.id;

-- name: TransactionSetPush :execrows
-- Stores whom to notify when a paid order is ready.
UPDATE transaction SET push_token = r.key
FROM push_registration r
WHERE r.key = @key AND transaction.id = @id AND transaction.shop_code = @shop_code AND transaction.status IN ('success', 'completed');

-- name: TransactionCapture :one
-- Returns what a refund depends on, as of one moment. The refunded amount includes a refund that is still open. With a shop_code,
-- another business's payment reads as missing. amount_minor is what was captured, less what a bank took.
SELECT t.id, t.shop_code, (coalesce(t.captured_minor, t.amount_minor) - (SELECT coalesce(sum(d.amount_minor), 0) FROM dispute d
           WHERE d.transaction_id = t.id AND d.state = 'lost' AND d.currency = t.currency))::bigint AS amount_minor, t.refunded_minor, t.currency, t.test_mode, t.status,
       (t.approved_attempt IS NOT NULL)::boolean AS paid, coalesce(a.transactionid, '')::text AS transactionid, a.gateway,
       EXISTS (SELECT FROM refund r WHERE r.transaction_id = t.id AND r.state IN ('open', 'pending', 'manual')) AS refund_open
FROM transaction t LEFT JOIN attempt a ON a.id = t.approved_attempt
WHERE t.id = @id AND (@shop_code::text = '' OR t.shop_code = @shop_code::text);
