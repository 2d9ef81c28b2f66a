-- name: ProposalSet :execrows
-- Proposes a decision on an attempt or a refund, replacing the proposal of a version; 0 means none. Zero rows: another proposal came first.
INSERT INTO proposal (attempt_id, decision, reason, proposed_by, transactionid, says)
SELECT @subject, @decision, @reason, @proposed_by, @transactionid, @says
WHERE @version::integer = 0 OR EXISTS (SELECT FROM proposal WHERE attempt_id = @subject)
ON CONFLICT (attempt_id) DO UPDATE
SET version = proposal.version + 1, decision = excluded.decision, reason = excluded.reason, proposed_by = excluded.proposed_by,
    transactionid = excluded.transactionid, says = excluded.says, proposed_at = now()
WHERE proposal.version = @version::integer;

-- name: ProposalTake :execrows
-- Deletes a version of a proposal because a person other than its author confirms it. Zero rows: the author tries to confirm it, or it is
-- gone.
DELETE FROM proposal WHERE attempt_id = @subject AND version = @version AND proposed_by <> @confirmed_by::text;

-- name: ProposalDrop :exec
DELETE FROM proposal WHERE attempt_id = @subject;

-- name: ProposalGet :one
SELECT * FROM proposal WHERE attempt_id = @subject;

-- name: AttemptCase :one
-- Returns an attempt with everything that a person needs to decide it.
SELECT a.*, c.name AS client_name, c.mail AS client_mail, t.client_ref, t.description
FROM attempt a
JOIN client c ON c.code = a.client_code
JOIN transaction t ON t.id = a.transaction_id
WHERE a.id = @id;
