-- name: PayoutAccountAsk :exec
-- The shop asks to be paid into another account. What it asked for before and nobody passed on is forgotten.
INSERT INTO payout_account (id, shop_code, sealed, asked_by) VALUES (@id, @shop_code, @sealed, @asked_by)
ON CONFLICT (shop_code) WHERE passed_at IS NULL DO UPDATE
SET id = excluded.id, sealed = excluded.sealed, asked_by = excluded.asked_by, asked_at = now(), reason = '', decided_by = '';

-- name: PayoutAccountDemo :exec
INSERT INTO payout_account (id, shop_code, sealed, asked_by, decided_by, passed_at)
SELECT @id, @shop_code, @sealed, 'demo', 'demo', 'epoch' WHERE NOT EXISTS (SELECT FROM payout_account p WHERE p.shop_code = @shop_code);

-- name: PayoutAccountOf :many
-- What a shop asked for, if anything, and then the account that it was paid into at a moment.
SELECT * FROM payout_account WHERE shop_code = @shop_code AND (passed_at IS NULL OR passed_at <= @paid_at::timestamptz)
ORDER BY passed_at DESC LIMIT 2;

-- name: PayoutAccountGet :one
SELECT sqlc.embed(a), c.name AS business FROM payout_account a JOIN shop c ON c.code = a.shop_code WHERE a.id = @id;

-- name: PayoutAccountList :many
-- Accounts in a state, longest waiting first. An empty state matches all.
SELECT a.id, a.shop_code, a.asked_by, a.asked_at, a.state, c.name AS business
FROM payout_account_state a JOIN shop c ON c.code = a.shop_code
WHERE (a.state = @state OR @state = '') AND c.demo_open IS NOT FALSE
ORDER BY a.asked_at, a.id LIMIT @at_most OFFSET @skip;

-- name: PayoutAccountCount :many
SELECT a.state, count(*) AS accounts FROM payout_account_state a JOIN shop c ON c.code = a.shop_code
WHERE c.demo_open IS NOT FALSE GROUP BY a.state;

-- name: PayoutAccountDecide :execrows
-- Zero rows: it was decided, or the owners asked for another one. With a reason it is not passed on.
UPDATE payout_account SET reason = @reason::text, decided_by = @decided_by, passed_at = CASE WHEN @reason::text = '' THEN now() END
WHERE id = @id AND passed_at IS NULL AND reason = '';
