-- name: KeptFormAdd :exec
-- Keeps a form for a session, together with the last two that the session kept.
WITH older AS (
    DELETE FROM kept_form k USING (
        SELECT o.id FROM kept_form o WHERE o.session = @session::uuid ORDER BY o.created_at DESC OFFSET 2
    ) x WHERE k.id = x.id
)
INSERT INTO kept_form (id, session, sealed) VALUES (@id::uuid, @session::uuid, @sealed);

-- name: KeptFormGet :one
SELECT sealed FROM kept_form
WHERE id = @id AND session = @session /* mutant: another session sends a kept form */
  AND created_at > now() - @kept_for::interval;

-- name: KeptFormTake :execrows
-- Zero rows: the form was sent or is too old.
DELETE FROM kept_form
WHERE id = @id AND session = @session /* mutant: another session sends a kept form */
  AND created_at > now() - @kept_for::interval;

-- name: KeptFormPrune :execrows
WITH old AS (SELECT id FROM kept_form WHERE created_at < now() - @kept_for::interval LIMIT @at_most FOR UPDATE SKIP LOCKED)
DELETE FROM kept_form USING old WHERE kept_form.id = old.id;
