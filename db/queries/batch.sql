-- name: BatchCreate :exec
INSERT INTO batch (id, shop_code, key, content_hash) VALUES (@id, @shop_code, sqlc.narg(key), @content_hash);

-- name: BatchRowCreate :exec
-- Adds the transactions in the order of the rows, counted from 1.
INSERT INTO batch_row (batch_id, row_no, shop_code, transaction_id)
SELECT @batch_id, generate_subscripts(@transaction_ids::text[], 1), @shop_code, unnest(@transaction_ids::text[]);

-- name: BatchGetByKey :one
SELECT id, content_hash FROM batch WHERE shop_code = @shop_code AND key = @key::text;

-- name: BatchGet :many
-- Returns the present state of each row. Another shop's batch reads as missing.
SELECT b.created_at AS batch_created_at, r.row_no, t.id, t.client_ref, sqlc.embed(position), t.currency, t.status, t.paid_at, t.expires_at
FROM batch b
JOIN batch_row r ON r.batch_id = b.id
JOIN transaction t ON t.id = r.transaction_id AND t.shop_code = b.shop_code
JOIN position ON position.transaction_id = t.id
WHERE b.id = @id AND b.shop_code = @shop_code
ORDER BY r.row_no;

-- name: BatchKeyForget :execrows
WITH old AS (
    SELECT id FROM batch WHERE key IS NOT NULL AND created_at < now() - interval '24 hours' LIMIT @at_most FOR UPDATE SKIP LOCKED
)
UPDATE batch SET key = NULL FROM old WHERE batch.id = old.id;
