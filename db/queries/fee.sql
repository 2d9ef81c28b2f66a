-- name: FeeGet :one
-- The fees of a shop: its own, or those of every shop, which are in Australian dollars. Of '' those of every shop. No row: none are set.
SELECT f.rate, f.fixed_minor, f.monthly_minor, f.gst_added, coalesce(s.currency, 'AUD')::text AS currency, (f.shop_code IS NOT NULL)::boolean AS own
FROM fee f LEFT JOIN shop s ON s.code = @code
WHERE f.shop_code = @code OR (f.shop_code IS NULL AND coalesce(s.currency, 'AUD') = 'AUD')
ORDER BY f.shop_code NULLS LAST LIMIT 1;

-- name: FeeSet :exec
INSERT INTO fee (shop_code, rate, fixed_minor, monthly_minor, gst_added)
VALUES (sqlc.narg(shop_code), @rate, @fixed_minor, @monthly_minor, @gst_added)
ON CONFLICT ((coalesce(shop_code, ''))) DO UPDATE SET rate = excluded.rate, fixed_minor = excluded.fixed_minor,
    monthly_minor = excluded.monthly_minor, gst_added = excluded.gst_added, demo = false;

-- name: FeeDrop :exec
DELETE FROM fee WHERE coalesce(shop_code, '') = @code::text;

-- name: FeeDemo :exec
-- What the sandbox deducts, unless fees are set.
INSERT INTO fee (rate, fixed_minor, monthly_minor, gst_added, demo) VALUES (150, 0, 0, false, true) ON CONFLICT DO NOTHING;

-- name: FeeDemoDrop :exec
DELETE FROM fee WHERE demo;
