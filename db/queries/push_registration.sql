-- name: PushRegistrationAdd :exec
INSERT INTO push_registration (key, endpoint, auth, p256dh) VALUES (@key, @endpoint, @auth, @p256dh);

-- name: PushRegistrationUpdate :execrows
UPDATE push_registration SET endpoint = @endpoint, auth = @auth, p256dh = @p256dh, refreshed_at = now() WHERE key = @key;

-- name: PushRegistrationRemove :execrows
DELETE FROM push_registration WHERE key = @key;

-- name: PushRegistrationPrune :execrows
-- Browsers refresh their registration in every week in which they visit (PUSH-02); one that has not visited for two months is not waiting
-- for food. The registration of a team member's browser stays until its push service no longer knows it.
WITH old AS (
    SELECT key FROM push_registration WHERE refreshed_at < now() - interval '60 days'
        AND NOT EXISTS (SELECT FROM notice_browser b WHERE b.push_key = push_registration.key) LIMIT @at_most FOR UPDATE SKIP LOCKED
)
DELETE FROM push_registration USING old WHERE push_registration.key = old.key;

-- name: PushRegistrationOfOrder :one
-- Returns whom to notify that a location is done with an order. No row: nobody, or the location is no longer done.
SELECT sqlc.embed(r), c.name AS business, t.table_name, t.customer_name, (t.status = 'completed')::boolean AS completed
FROM transaction t
JOIN shop c ON c.code = t.shop_code
JOIN push_registration r ON r.key = t.push_token
WHERE t.id = @id AND t.shop_code = @shop_code AND t.status IN ('success', 'completed')
  AND NOT EXISTS (SELECT FROM order_line l WHERE l.transaction_id = t.id AND l.loc = @loc AND l.status = 'open');

-- name: PushRegistrationOfMember :one
-- Returns a browser of somebody on a team. No row: the person has left, or wants no messages there.
SELECT sqlc.embed(r), c.name AS business FROM push_registration r
JOIN notice_browser b ON b.push_key = r.key
JOIN shop_member m ON m.account_id = b.account_id
JOIN shop c ON c.code = m.shop_code
WHERE r.key = @key AND m.shop_code = @shop_code AND m.account_id = @account_id;
