-- name: ThrottleTake :one
-- Counts a try before it is made, so that concurrent tries cannot slip through, and returns the number of tries in the window and
-- the window's end.
INSERT INTO throttle AS t (subject, key, count) VALUES (@subject, @key, 1)
ON CONFLICT (subject, key) DO UPDATE SET
    count = CASE WHEN t.since < now() - make_interval(secs => @window_seconds) THEN 1 ELSE t.count + 1 END,
    since = CASE WHEN t.since < now() - make_interval(secs => @window_seconds) THEN now() ELSE t.since END
RETURNING count, extract(epoch FROM since + make_interval(secs => @window_seconds) - now())::float8 AS wait_seconds;

-- name: ThrottleGiveBack :exec
-- Takes back the count of a try that did not fail. The last one goes with its row, so that tries that are refused leave none.
WITH one AS (
    -- the present count, whoever else changes it
    SELECT t.subject, t.key, t.count FROM throttle t WHERE t.subject = @subject AND t.key = @key FOR UPDATE
), last AS (
    DELETE FROM throttle t USING one WHERE t.subject = one.subject AND t.key = one.key AND one.count <= 1
)
UPDATE throttle t SET count = t.count - 1 FROM one WHERE t.subject = one.subject AND t.key = one.key AND one.count > 1;

-- name: ThrottleClear :exec
DELETE FROM throttle WHERE subject = @subject AND key = @key;

-- name: ThrottleClearAll :exec
-- Clears the keys of 32 bytes that begin with the same 16 bytes.
DELETE FROM throttle WHERE subject = @subject AND substring(key FROM 1 FOR 16) = @whole::bytea;

-- name: ThrottlePrune :execrows
WITH old AS (
    SELECT subject, key FROM throttle WHERE since < now() - interval '1 day' LIMIT @at_most FOR UPDATE SKIP LOCKED
)
DELETE FROM throttle USING old WHERE throttle.subject = old.subject AND throttle.key = old.key;
