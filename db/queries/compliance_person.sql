-- name: CompliancePersonAdd :exec
-- Adds a person to a record. decided_by is who accepted the person in another record of the application, "" for nobody.
WITH numbered AS (
    UPDATE compliance c SET last_number = greatest(c.last_number, @number::int) WHERE c.id = @compliance_id::text
)
INSERT INTO compliance_person (compliance_id, number, required, sealed, account_id, state, decided_by, decided_at)
VALUES (@compliance_id, @number, @required, @sealed, sqlc.narg(account_id), CASE WHEN @decided_by::text = '' THEN 'open' ELSE 'accepted' END, @decided_by::text,
    CASE WHEN @decided_by::text <> '' THEN now() END);

-- name: CompliancePersonAccount :one
-- Returns the address of a person who is to own the shop. No row: the person is somebody else.
SELECT a.email FROM compliance_person p JOIN account a ON a.id = p.account_id WHERE p.compliance_id = @compliance_id AND p.number = @number;

-- name: CompliancePersonWithdraw :exec
-- Removes a person who is no longer to own the shop. A person whom staff accepted stays.
DELETE FROM compliance_person p USING compliance c
WHERE c.id = p.compliance_id AND c.shop_code = @shop_code::text AND p.account_id = @account_id::uuid AND p.state <> 'accepted';

-- name: CompliancePersonList :many
-- The people of a record, with the sides of their licences that were uploaded.
SELECT sqlc.embed(p), coalesce((SELECT array_agg(i.side ORDER BY i.side) FROM compliance_image i
    WHERE i.compliance_id = p.compliance_id AND i.number = p.number), '{}')::text[] AS sides
FROM compliance_person p WHERE p.compliance_id = @compliance_id ORDER BY p.number;

-- name: CompliancePersonLockOwn :one
-- Locks a person until the transaction ends, for an admin of the record only.
SELECT p.* FROM compliance_person p JOIN compliance_admin a ON a.compliance_id = p.compliance_id
WHERE p.compliance_id = @compliance_id AND p.number = @number AND a.account_id = @account_id
FOR UPDATE OF p;

-- name: CompliancePersonSave :exec
UPDATE compliance_person
SET sealed = @sealed, state = @state, revision = revision + 1, changed_at = now()
WHERE compliance_id = @compliance_id AND number = @number;

-- name: CompliancePersonDecide :execrows
-- Zero rows: nothing of that revision waits for a decision.
UPDATE compliance_person SET state = @state, reason = @reason, decided_by = @decided_by, decided_at = now()
WHERE compliance_id = @compliance_id AND number = @number AND revision = @revision AND state = 'waiting';

-- name: CompliancePersonListByState :many
-- Lists the people of all records who are in a state, longest waiting first. An empty state matches all except those still open.
SELECT p.compliance_id, p.number, p.sealed, p.state, p.changed_at, c.name AS business
FROM compliance_person p JOIN compliance c ON c.id = p.compliance_id
WHERE (p.state = @state OR @state = '' AND p.state <> 'open') ORDER BY p.changed_at, p.compliance_id, p.number
LIMIT @at_most OFFSET @skip;

-- name: CompliancePersonCount :many
SELECT state, count(*) AS people FROM compliance_person WHERE state <> 'open' GROUP BY state;
