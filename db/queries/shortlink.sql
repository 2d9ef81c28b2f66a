-- name: ShortlinkGet :one
-- SHORT-02: a link works as long as its expiry is not earlier than now.
SELECT url, coalesce(expires_at < now(), false)::boolean AS expired FROM shortlink WHERE code = $1 AND demo_open IS NOT FALSE;

-- name: ShortlinkCreate :execrows
-- Zero rows: the code is taken.
INSERT INTO shortlink (code, url, expires_at) VALUES (@code, @url, @expires_at) ON CONFLICT (code) DO NOTHING;

-- name: ShortlinkCreateDemo :exec
INSERT INTO shortlink (code, url, demo_open) VALUES (@code, @url, true) ON CONFLICT (code) DO NOTHING;

-- name: ShortlinkList :many
SELECT *, coalesce(expires_at < now(), false)::boolean AS expired FROM shortlink ORDER BY created_at, code;

-- name: ShortlinkExpire :execrows
-- Ends a link now. One that has already ended keeps its time.
UPDATE shortlink SET expires_at = least(expires_at, now()) WHERE code = $1;

-- name: ShortlinkHit :exec
UPDATE shortlink SET hits = hits + 1 WHERE code = $1;
