-- name: KitchenOpenList :many
-- Lists the lines still to be made of orders paid within a day, oldest first. Of a location with more than twice at_each open orders it
-- lists the oldest and the newest, so that a location that never marks its orders hides neither another's orders nor its own new ones.
-- orders is how many the location has.
WITH open AS (
    SELECT t.id, t.order_no, t.paid_at, t.table_name, t.customer_name, t.test_mode, l.line_no, l.name, l.qty - l.refunded_qty AS qty, l.loc, l.options, l.note,
           dense_rank() OVER (PARTITION BY l.loc ORDER BY t.paid_at, t.id) AS from_oldest,
           dense_rank() OVER (PARTITION BY l.loc ORDER BY t.paid_at DESC, t.id DESC) AS from_newest
    FROM transaction t JOIN order_line l ON l.transaction_id = t.id
    WHERE t.shop_code = @shop_code AND t.status = 'success' AND t.paid_at > now() - interval '1 day' AND l.status = 'open'
)
SELECT id, order_no, paid_at::timestamptz AS paid_at, table_name, customer_name, test_mode, line_no, name, qty, loc, options, note,
       (from_oldest + from_newest - 1)::int AS orders
FROM open
WHERE from_oldest <= @at_each::int OR from_newest <= @at_each::int
ORDER BY paid_at, id, line_no;

-- name: KitchenStaleCount :one
-- Counts orders that were paid longer ago and still have something to be made. It stops at at_most, because a kitchen that never marks its
-- orders has all its past orders here.
SELECT count(*) FROM (
    SELECT FROM transaction t
    WHERE t.shop_code = @shop_code AND t.status = 'success' AND t.paid_at <= now() - interval '1 day'
      AND EXISTS (SELECT FROM order_line l WHERE l.transaction_id = t.id AND l.status = 'open')
    ORDER BY t.paid_at DESC LIMIT @at_most
) stale;

-- name: KitchenDoneList :many
-- Lists the lines done within the last half hour, newest first. All lines of an order at one location are done at the same moment, so the index
-- order_line_done alone finds the newest, however many there are.
SELECT t.id, t.order_no, t.table_name, t.customer_name, l.loc, l.done_at::timestamptz AS done_at, l.qty
FROM (
    SELECT d.transaction_id, d.loc, d.done_at, sum(d.qty - d.refunded_qty)::bigint AS qty FROM order_line d
    WHERE d.shop_code = @shop_code AND d.status = 'done' AND d.refunded_qty < d.qty AND d.done_at > now() - interval '30 minutes'
    GROUP BY d.done_at, d.transaction_id, d.loc
    ORDER BY d.done_at DESC, d.transaction_id, d.loc
    LIMIT @at_most
) l JOIN transaction t ON t.id = l.transaction_id
ORDER BY l.done_at DESC, t.id, l.loc;

-- name: KitchenLock :one
-- Serialises taps on one order, so that the last of them sees that nothing is left to do.
SELECT push_token FROM transaction
WHERE id = @id AND shop_code = @shop_code AND status IN ('success', 'completed')
FOR UPDATE;

-- name: KitchenDone :execrows
UPDATE order_line SET status = 'done', done_at = now()
WHERE transaction_id = @transaction_id AND shop_code = @shop_code AND loc = @loc AND status = 'open';

-- name: KitchenUndo :execrows
-- What was refunded is not made again.
UPDATE order_line SET status = 'open', done_at = NULL
WHERE transaction_id = @transaction_id AND shop_code = @shop_code AND loc = @loc AND status = 'done' AND refunded_qty < qty;

-- name: KitchenSettle :exec
-- Completes an order when none of its lines is open (PAY-38), and reopens it when one is open again.
UPDATE transaction SET status = CASE
    WHEN EXISTS (SELECT FROM order_line l WHERE l.transaction_id = transaction.id AND l.status = 'open') THEN 'success' ELSE 'completed' END
WHERE transaction.id = @id AND transaction.shop_code = @shop_code AND transaction.status IN ('success', 'completed');

-- name: KitchenSeen :exec
-- Notes that a kitchen looks at its orders. Most looks write nothing: a screen looks every few seconds, and a commit waits for the disk.
INSERT INTO kitchen_screen (shop_code)
SELECT @shop_code::text WHERE NOT EXISTS (
    SELECT FROM kitchen_screen k WHERE k.shop_code = @shop_code::text AND k.seen_at >= now() - interval '20 seconds')
ON CONFLICT (shop_code) DO UPDATE SET seen_at = now();

-- name: KitchenPaused :one
-- Reports whether a business takes no orders now.
SELECT EXISTS (SELECT FROM kitchen_closed k WHERE k.shop_code = c.code) AS paused FROM shop c WHERE c.code = @shop_code;

-- name: KitchenPause :exec
-- Pauses ordering for a time; a time that is not positive ends the pause.
INSERT INTO kitchen_screen (shop_code, paused_until) VALUES (@shop_code, now() + @pause::interval)
ON CONFLICT (shop_code) DO UPDATE SET paused_until = excluded.paused_until;

-- name: ShopSetNeedsKitchen :execrows
UPDATE shop SET needs_kitchen = @needs_kitchen WHERE code = @code;

-- name: ItemSetSoldOut :execrows
UPDATE item SET sold_out = @sold_out, sold_out_until = sqlc.narg(until) WHERE id = @id AND shop_code = @shop_code;

-- name: StockList :many
-- Lists everything that guests can be shown, items by category, then options by group, and whether and until when it is sold out.
(SELECT false AS is_option, c.id AS section_id, c.name AS section, i.id, i.name,
     sold_out_now(i.sold_out, i.sold_out_until)::boolean AS sold_out, i.sold_out_until
 FROM category c JOIN item i ON i.shop_code = c.shop_code AND i.category_id = c.id
 WHERE c.shop_code = @shop_code::text AND i.available
 ORDER BY c.position, c.id, i.position, i.id)
UNION ALL
(SELECT true, g.id, g.name, o.id, o.name, sold_out_now(o.sold_out, o.sold_out_until), o.sold_out_until
 FROM option_group g JOIN option_choice o ON o.shop_code = g.shop_code AND o.group_id = g.id
 WHERE g.shop_code = @shop_code::text AND o.available
 ORDER BY g.position, g.id, o.position, o.id);

-- name: ShopClock :one
-- Returns the shop's clock, its opening hours and public holidays, and until when its kitchen paused ordering.
SELECT s.time_zone, s.hours, now()::timestamptz AS now, k.paused_until, holidays_of(s.code)::text AS holidays
FROM shop s LEFT JOIN kitchen_screen k ON k.shop_code = s.code AND k.paused_until > now() WHERE s.code = @code;
