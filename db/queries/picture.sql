-- name: PictureAdd :execrows
-- Zero rows: the shop has as many pictures or bytes as it may have. Adding a picture again makes it count as new.
INSERT INTO picture (hash, shop_code, small, large)
SELECT @hash::text, @shop_code::text, @small::bytea, @large::bytea
FROM (SELECT count(*) AS pictures, coalesce(sum(bytes), 0) AS bytes FROM picture WHERE shop_code = @shop_code::text) kept
WHERE kept.pictures < @most::int AND kept.bytes + octet_length(@small::bytea) + octet_length(@large::bytea) <= @most_bytes::bigint
    OR EXISTS (SELECT FROM picture WHERE shop_code = @shop_code::text AND hash = @hash::text)
ON CONFLICT (hash, shop_code) DO UPDATE SET unused_since = NULL;

-- name: PictureGet :one
-- Returns a shop's or a slide's picture in one of its sizes. Everybody may see every picture.
SELECT CASE WHEN @large::boolean THEN p.large ELSE p.small END::bytea AS file FROM (
    SELECT o.small, o.large FROM picture o WHERE o.hash = @hash::text
    UNION ALL
    SELECT s.small, s.large FROM site_picture s WHERE s.hash = @hash::text
) p LIMIT 1;

-- name: PictureOwned :one
-- Reports whether a shop may show the picture at an address.
SELECT EXISTS (SELECT FROM picture WHERE shop_code = @shop_code AND '/picture/' || hash = @address::text);

-- name: PicturesForeign :many
-- Returns those addresses whose pictures a shop may not show.
SELECT address::text FROM unnest(@addresses::text[]) AS address
WHERE NOT EXISTS (SELECT FROM picture p WHERE p.shop_code = @shop_code AND '/picture/' || p.hash = address);

-- name: PictureMark :exec
-- Records since when nothing shows a picture, and clears that time once something shows it again.
UPDATE picture p SET unused_since = CASE WHEN u.used THEN NULL ELSE now() END
FROM (
    SELECT o.hash, o.shop_code,
        EXISTS (SELECT FROM shop c WHERE c.code = o.shop_code AND c.logo = '/picture/' || o.hash)
        OR EXISTS (SELECT FROM item i WHERE i.shop_code = o.shop_code AND i.picture = '/picture/' || o.hash)
        OR EXISTS (SELECT FROM menu_draft d WHERE d.shop_code = o.shop_code AND strpos(d.body::text, '/picture/' || o.hash) > 0)
        OR EXISTS (SELECT FROM menu_version v WHERE v.shop_code = o.shop_code AND strpos(v.body::text, '/picture/' || o.hash) > 0) AS used
    FROM picture o
) u
WHERE u.hash = p.hash AND u.shop_code = p.shop_code AND u.used <> (p.unused_since IS NULL);

-- name: PictureOldCount :one
SELECT count(*) FROM picture WHERE unused_since < now() - make_interval(days => @days::int);

-- name: PicturePrune :execrows
DELETE FROM picture p USING (
    SELECT o.hash, o.shop_code FROM picture o WHERE o.unused_since < now() - make_interval(days => @days::int)
    LIMIT @at_most FOR UPDATE
) old
WHERE p.hash = old.hash AND p.shop_code = old.shop_code;
