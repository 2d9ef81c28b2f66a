-- name: GoLiveAsk :execrows
-- Zero rows: a request already waits for staff, or was approved.
INSERT INTO go_live (shop_code, asked_by, note) VALUES (@shop_code, @asked_by, @note)
ON CONFLICT (shop_code) DO UPDATE
SET state = 'waiting', asked_by = excluded.asked_by, asked_at = now(), note = excluded.note, reason = '', decided_by = '', revision = go_live.revision + 1
WHERE go_live.state = 'returned';

-- name: GoLiveDecide :execrows
-- Zero rows: the request is no longer as the person who decides saw it. An approval can only be withdrawn.
UPDATE go_live SET state = @state, reason = @reason, decided_by = @decided_by, revision = revision + 1
WHERE shop_code = @shop_code AND revision = @revision AND (state = 'waiting' OR state = 'approved' AND @state = 'returned');

-- name: GoLivePutDemo :exec
INSERT INTO go_live (shop_code, state, asked_by, decided_by) VALUES (@shop_code, 'approved', 'demo', 'demo') ON CONFLICT DO NOTHING;

-- name: GoLiveGet :one
SELECT * FROM go_live WHERE shop_code = @shop_code;

-- name: GoLiveList :many
-- Requests in a state, longest waiting first. An empty state matches all.
SELECT g.shop_code, g.state, g.asked_by, g.asked_at, c.name, c.live
FROM go_live g JOIN shop c ON c.code = g.shop_code
WHERE (g.state = @state OR @state = '') AND c.demo_open IS NOT FALSE
ORDER BY g.asked_at, g.shop_code LIMIT @at_most OFFSET @skip;

-- name: GoLiveCount :many
SELECT g.state, count(*) AS requests FROM go_live g JOIN shop c ON c.code = g.shop_code
WHERE c.demo_open IS NOT FALSE GROUP BY g.state;

-- name: GoLiveApplication :one
-- Returns the reference of the application that was accepted with the shop's record, or else the one that got furthest among the owners'. No
-- row: nobody sent one.
SELECT f.reference::text AS reference FROM form f
WHERE f.kind = 'application' AND f.reference IS NOT NULL
  AND (EXISTS (SELECT FROM shop_member m WHERE m.account_id = f.account_id AND m.shop_code = @shop_code AND m.role = 'owner')
    OR EXISTS (SELECT FROM compliance c WHERE c.applicant = f.account_id AND c.shop_code = @shop_code))
ORDER BY array_position(ARRAY['approved', 'submitted', 'returned', 'declined'], f.state), f.submitted_at LIMIT 1;

-- name: GoLiveTested :one
-- Returns the first paid test order.
SELECT t.paid_at::timestamptz AS paid_at, p.captured_minor AS amount_minor, t.currency
FROM transaction t JOIN position p ON p.transaction_id = t.id
WHERE t.shop_code = @shop_code AND t.test_mode AND t.kind = 'order' AND t.paid_at IS NOT NULL
ORDER BY t.paid_at LIMIT 1;

-- name: GoLiveItems :one
-- Counts the items that can be ordered.
SELECT count(*)::int FROM item WHERE shop_code = @shop_code AND available;

-- name: ShopSwitch :execrows
-- Zero rows: the shop is in that mode already.
UPDATE shop SET live = @live, was_live = was_live OR live WHERE code = @code AND live <> @live;

-- name: ShopHold :one
-- Locks a shop, so that nobody else switches it until the transaction ends.
SELECT * FROM shop WHERE code = @code AND demo_open IS NOT FALSE FOR NO KEY UPDATE;

-- name: ShopOwners :many
SELECT a.id, a.email FROM shop_member m JOIN account a ON a.id = m.account_id
WHERE m.shop_code = @shop_code AND m.role = 'owner' ORDER BY a.email;

-- name: TransactionEndOfMode :execrows
-- Ends the unpaid orders of a shop in a mode. Pay links stay: they can be paid again once the shop is back in their mode.
UPDATE transaction SET status = 'expired'
WHERE status = 'new' AND expires_at > now() AND shop_code = @shop_code AND kind = 'order' AND test_mode = @test_mode;
