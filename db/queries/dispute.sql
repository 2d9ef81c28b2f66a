-- name: TransactionHeld :one
-- Says why money of a transaction is in question, or ''.
SELECT held(t.id, t.differences)::text AS why FROM transaction t WHERE t.id = @id;

-- name: DisputeList :many
-- Disputes in a state, or all of them, newest first; the open ones by due date.
SELECT d.*, c.name AS shop_name, t.client_ref, t.description
FROM dispute d
JOIN shop c ON c.code = d.shop_code
JOIN transaction t ON t.id = d.transaction_id
WHERE @state::text = '' OR d.state = @state
ORDER BY CASE WHEN @state::text = 'opened' THEN d.due_at END, d.opened_at DESC, d.attempt_id
LIMIT @at_most OFFSET @skipped;

-- name: DisputeGet :one
SELECT d.*, c.name AS shop_name, c.mail AS shop_mail, t.client_ref, t.description, sqlc.embed(position),
       t.paid_at, a.transactionid, a.method, a.card_brand, a.card_last_four,
       coalesce((SELECT max(p.id) FROM movement m JOIN payout p ON p.number = m.payout
           WHERE m.transaction_id = d.transaction_id AND m.reference = d.attempt_id::text AND m.kind = 'taken'), '')::text AS payout_id
FROM dispute d
JOIN shop c ON c.code = d.shop_code
JOIN transaction t ON t.id = d.transaction_id
JOIN attempt a ON a.id = d.attempt_id
JOIN position ON position.transaction_id = d.transaction_id
WHERE d.attempt_id = @attempt_id;

-- name: DisputeCount :one
SELECT count(*) FILTER (WHERE state = 'opened') AS opened, count(*) FILTER (WHERE state = 'won') AS won, count(*) FILTER (WHERE state = 'lost') AS lost
FROM dispute;

-- name: DisputeLetter :one
-- Returns what a letter about a dispute says, and where the business's mail about this payment goes.
SELECT d.*, r.merchant_mail, c.name AS shop_name, c.time_zone, position.captured_minor AS paid_minor, t.paid_at, t.client_ref, t.description
FROM dispute d
JOIN receipt r ON r.transaction_id = d.transaction_id
JOIN transaction t ON t.id = d.transaction_id
JOIN shop c ON c.code = d.shop_code
JOIN position ON position.transaction_id = d.transaction_id
WHERE d.attempt_id = @attempt_id;
