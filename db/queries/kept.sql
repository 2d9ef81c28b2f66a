-- name: KeptAdd :exec
-- Keeps a form for an account, together with the last four that it kept.
WITH older AS (
    DELETE FROM kept k USING (
        SELECT o.id FROM kept o WHERE o.account_id = @account_id::uuid ORDER BY o.created_at DESC, o.id OFFSET 4
    ) x WHERE k.id = x.id
)
INSERT INTO kept (id, account_id, sealed) VALUES (@id::uuid, @account_id::uuid, @sealed);

-- name: KeptGet :one
SELECT sealed FROM kept WHERE id = @id AND account_id = @account_id AND created_at > now() - @kept_for::interval;

-- name: KeptTake :execrows
-- Zero rows: the form was sent or discarded, or is too old.
DELETE FROM kept WHERE id = @id AND account_id = @account_id AND created_at > now() - @kept_for::interval;

-- name: KeptPrune :execrows
WITH old AS (SELECT id FROM kept WHERE created_at < now() - @kept_for::interval LIMIT @at_most FOR UPDATE SKIP LOCKED)
DELETE FROM kept USING old WHERE kept.id = old.id;
