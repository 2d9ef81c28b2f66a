-- name: ShortlinkGet :one
-- SHORT-02: a link works as long as its expiry is not earlier than now.
-- A code is the same in capitals, unless both exist from before that was so.
SELECT code, url, coalesce(expires_at < now(), false)::boolean AS expired FROM shortlink
WHERE lower(code) = lower(@code::text) AND demo_open IS NOT FALSE
ORDER BY code <> @code::text LIMIT 1;

-- name: ShortlinkCreate :execrows
-- Zero rows: the code is taken.
INSERT INTO shortlink (code, url, expires_at)
SELECT @code::text, @url::text, sqlc.narg(expires_at)::timestamptz WHERE NOT EXISTS (SELECT FROM shortlink WHERE lower(code) = lower(@code::text))
ON CONFLICT (code) DO NOTHING;

-- name: ShortlinkCreateDemo :exec
INSERT INTO shortlink (code, url, demo_open) VALUES (@code, @url, true) ON CONFLICT (code) DO NOTHING;

-- name: ShortlinkList :many
SELECT *, coalesce(expires_at < now(), false)::boolean AS expired FROM shortlink ORDER BY created_at, code;

-- name: ShortlinkExpire :execrows
-- Ends a link now. One that has already ended keeps its time.
UPDATE shortlink SET expires_at = least(expires_at, now()) WHERE code = $1;

-- name: ShortlinkHit :exec
UPDATE shortlink SET hits = hits + 1 WHERE code = $1;
