-- name: FormGet :one
SELECT * FROM form WHERE account_id = @account_id AND kind = @kind;

-- name: FormLock :one
-- Returns the form and locks it until the transaction ends.
SELECT * FROM form WHERE account_id = @account_id AND kind = @kind FOR UPDATE;

-- name: FormStart :exec
INSERT INTO form (account_id, kind, data) VALUES (@account_id, @kind, @data) ON CONFLICT DO NOTHING;

-- name: FormSave :exec
UPDATE form SET data = @data, reached = greatest(reached, @reached::smallint), updated_at = now()
WHERE account_id = @account_id AND kind = @kind AND state IN ('draft', 'returned');

-- name: FormSubmit :one
-- No row: it is already submitted. A form that was returned keeps its reference.
UPDATE form
SET state = 'submitted', reference = coalesce(reference, @reference::text), handed_in = handed_in + 1, submitted_at = now(),
    decided_at = NULL, decided_by = '', reason = '', updated_at = now()
WHERE account_id = @account_id AND kind = @kind AND state IN ('draft', 'returned')
RETURNING *;

-- name: FormByReference :one
SELECT sqlc.embed(f), a.email, a.name FROM form f JOIN account a ON a.id = f.account_id WHERE f.reference = @reference;

-- name: FormAsked :one
-- What staff ask about the application of a shop's owners, first that of one of them, who alone reads the question: it may be about another
-- shop. No row: nothing.
SELECT a.email, (CASE a.email WHEN @reader::text THEN f.reason ELSE '' END)::text AS reason, f.decided_at FROM shop_member m
JOIN form f ON f.account_id = m.account_id AND f.kind = 'application' AND f.state = 'returned'
JOIN account a ON a.id = m.account_id
WHERE m.shop_code = @shop_code AND m.role = 'owner' ORDER BY a.email <> @reader::text, f.decided_at LIMIT 1;

-- name: FormLockApproved :one
-- Returns an application that staff approved, and locks it until the transaction ends. No row: there is none with that reference.
SELECT sqlc.embed(f), a.email FROM form f JOIN account a ON a.id = f.account_id
WHERE f.reference = @reference AND f.kind = 'application' AND f.state = 'approved' FOR UPDATE OF f;

-- name: FormDecide :execrows
-- Zero rows: the form is no longer as the person who decides saw it.
UPDATE form SET state = @state, decided_at = now(), decided_by = @decided_by, reason = @reason, updated_at = now()
WHERE reference = @reference AND state = 'submitted' AND handed_in = @handed_in;

-- name: FormList :many
-- The submitted forms, oldest first. Empty filters match everything.
SELECT f.reference, f.kind, f.state, f.submitted_at, f.decided_at, f.decided_by, f.handed_in, a.email,
       coalesce(f.data ->> 'name', '')::text AS trading_name
FROM form f JOIN account a ON a.id = f.account_id
WHERE f.submitted_at IS NOT NULL
  AND (f.state = @state OR @state = '')
  AND (@kind::text = '' OR f.kind = @kind::text)
ORDER BY f.submitted_at, f.reference
LIMIT @at_most OFFSET @skip;

-- name: FormCount :many
-- Counts the forms in each state, for staff.
SELECT state, count(*) AS forms FROM form
WHERE submitted_at IS NOT NULL AND (@kind::text = '' OR kind = @kind::text)
GROUP BY state;

-- name: FormDraftOldCount :one
-- Counts forms that were never submitted and that nobody has touched for that many days.
SELECT count(*) FROM form WHERE state = 'draft' AND updated_at < now() - make_interval(days => @days::int);

-- name: FormDraftPrune :execrows
WITH old AS (
    SELECT account_id, kind FROM form WHERE state = 'draft' AND updated_at < now() - make_interval(days => @days::int)
    LIMIT @at_most FOR UPDATE SKIP LOCKED
)
DELETE FROM form USING old WHERE form.account_id = old.account_id AND form.kind = old.kind;
