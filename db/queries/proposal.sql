-- name: ProposalSet :execrows
-- Proposes a decision in place of the proposal of a version, 0 for none. Zero rows: another came first.
INSERT INTO proposal (attempt_id, decision, reason, proposed_by)
SELECT @attempt_id, @decision, @reason, @proposed_by
WHERE @version::integer = 0 OR EXISTS (SELECT FROM proposal WHERE attempt_id = @attempt_id)
ON CONFLICT (attempt_id) DO UPDATE
SET version = proposal.version + 1, decision = excluded.decision, reason = excluded.reason, proposed_by = excluded.proposed_by, proposed_at = now()
WHERE proposal.version = @version::integer;

-- name: ProposalTake :execrows
-- Takes a version of a proposal for somebody else than who made it. Zero rows: it is theirs, or not there any more.
DELETE FROM proposal WHERE attempt_id = @attempt_id AND version = @version AND proposed_by <> @confirmed_by::text;

-- name: ProposalDrop :exec
DELETE FROM proposal WHERE attempt_id = @attempt_id;

-- name: AttemptCase :one
-- An attempt with what a person has to know who decides it, and the decision that somebody has proposed; version 0 is none.
SELECT a.*, c.name AS client_name, c.mail AS client_mail, t.client_ref, t.description,
       coalesce(p.version, 0)::integer AS version, coalesce(p.decision, '')::text AS proposed, coalesce(p.reason, '')::text AS proposed_reason,
       coalesce(p.proposed_by, '')::text AS proposed_by
FROM attempt a
JOIN client c ON c.code = a.client_code
JOIN transaction t ON t.id = a.transaction_id
LEFT JOIN proposal p ON p.attempt_id = a.id
WHERE a.id = @id;
