-- name: ScreenAdd :exec
-- Adds a screen. Of those of a shop that ended, the last hundred stay.
WITH old AS (
    DELETE FROM kitchen_device WHERE id IN (
        SELECT d.id FROM kitchen_device d WHERE d.shop_code = @shop_code AND d.ended_at IS NOT NULL ORDER BY d.ended_at DESC OFFSET 100
    )
)
INSERT INTO kitchen_device (id, shop_code, name, link_hash, link_until, made_by)
VALUES (@id, @shop_code, @name, @link_hash, now() + @works_for::interval, @made_by::uuid);

-- name: ScreenCount :one
-- Counts the screens of a shop that have not ended.
SELECT count(*) FROM kitchen_device WHERE shop_code = @shop_code AND ended_at IS NULL;

-- name: ScreenList :many
-- Lists the screens of a shop: first those that work, then those that ended within shown_for.
SELECT d.id, d.name, d.created_at, d.opened_at, d.seen_at, d.ended_at, (d.opened_at IS NULL AND d.link_until <= now())::boolean AS late,
    coalesce(a.email, '')::text AS made_by
FROM kitchen_device d LEFT JOIN account a ON a.id = d.made_by
WHERE d.shop_code = @shop_code AND (d.ended_at IS NULL OR d.ended_at > now() - @shown_for::interval)
ORDER BY d.ended_at IS NOT NULL, d.created_at;

-- name: ScreenRelink :one
-- Gives a screen a new link and takes away its cookie.
UPDATE kitchen_device
SET link_hash = @link_hash::bytea, link_until = now() + @works_for::interval, cookie_hash = NULL, opened_at = NULL, made_by = @made_by::uuid
WHERE id = @id AND shop_code = @shop_code AND ended_at IS NULL
RETURNING name;

-- name: ScreenEnd :one
UPDATE kitchen_device SET ended_at = now(), link_hash = NULL WHERE id = @id AND shop_code = @shop_code AND ended_at IS NULL RETURNING name;

-- name: ScreenListOf :many
-- The screens that an account connected and that have not ended, of every shop.
SELECT d.name, c.name AS business, d.seen_at FROM kitchen_device d JOIN shop c ON c.code = d.shop_code
WHERE d.made_by = @account_id::uuid AND d.ended_at IS NULL ORDER BY c.name, d.created_at;

-- name: ScreenEndOf :exec
-- Ends the screens that an account connected, of every shop.
UPDATE kitchen_device SET ended_at = now(), link_hash = NULL WHERE made_by = @account_id::uuid AND ended_at IS NULL;

-- name: ScreenFindLink :one
SELECT d.name, c.name AS business FROM kitchen_device d JOIN shop c ON c.code = d.shop_code
WHERE d.link_hash = @link_hash::bytea AND d.link_until > now() AND d.ended_at IS NULL AND c.demo_open IS NOT FALSE;

-- name: ScreenOpen :one
-- Exchanges a link for a cookie, once.
UPDATE kitchen_device SET link_hash = NULL, cookie_hash = @cookie_hash::bytea, opened_at = now(), seen_at = now()
WHERE link_hash = @link_hash::bytea AND link_until > now() AND ended_at IS NULL
  AND EXISTS (SELECT FROM shop c WHERE c.code = kitchen_device.shop_code AND c.demo_open IS NOT FALSE)
RETURNING shop_code;

-- name: ScreenEnter :one
-- Finds a screen by its cookie and returns its shop and whether it was ended. Notes that it was seen, at most every 20 seconds.
WITH seen AS (
    UPDATE kitchen_device SET seen_at = now()
    WHERE cookie_hash = @cookie_hash::bytea AND ended_at IS NULL AND seen_at < now() - interval '20 seconds'
)
SELECT sqlc.embed(c), (d.ended_at IS NOT NULL)::boolean AS ended FROM kitchen_device d JOIN shop c ON c.code = d.shop_code
WHERE d.cookie_hash = @cookie_hash::bytea AND d.shop_code = @shop_code AND c.demo_open IS NOT FALSE;
