-- name: ClientGet :one
-- Demo businesses do not exist while demo mode is off.
SELECT * FROM client WHERE code = $1 AND demo_open IS NOT FALSE;

-- name: ClientListDemo :many
-- The demo businesses, while demo mode is on.
SELECT code, name, tagline, live, accent, logo FROM client WHERE demo_open ORDER BY created_at, code;

-- name: ClientPutDemo :exec
INSERT INTO client (code, name, tagline, live, accent, logo, abn, mail, pl_name, pl_merchant_email, gst_included, demo_open)
VALUES (@code, @name, @tagline, @live, @accent, @logo, @abn, @mail, @pl_name, @pl_merchant_email, @gst_included, true)
ON CONFLICT (code) DO NOTHING;

-- name: ClientWallet :one
-- The name of a client that accepts wallets in its present mode (WALLET-01).
SELECT c.name FROM client c JOIN client_account k ON k.client_code = c.code AND k.live = c.live
WHERE c.code = @code AND c.currency = 'AUD' AND c.demo_open IS NOT FALSE;
