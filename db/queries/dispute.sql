-- name: DisputeSet :execrows
-- Records the state of a dispute. It waits for a refund of the payment that is being claimed. A dispute that was won may be opened again, and
-- one that ends may be about another amount than before. An amount of 0 keeps the one that is known. Zero rows: the state is known already, no amount is, or there is no such payment: of that business,
-- in that mode and of that much money.
INSERT INTO dispute (attempt_id, transaction_id, shop_code, amount_minor, currency, test_mode, state, due_at, opened_at, ended_at)
SELECT a.id, a.transaction_id, a.shop_code, coalesce(nullif(@amount_minor::bigint, 0), k.amount_minor), @currency, a.test_mode, @state, @due_at,
       @happened_at, CASE WHEN @state <> 'opened' THEN @happened_at::timestamptz END
FROM attempt a JOIN transaction t ON t.id = a.transaction_id LEFT JOIN dispute k ON k.attempt_id = a.id
WHERE a.id = @attempt_id AND a.state = 'approved' AND (@amount_minor::bigint <> 0 OR k.amount_minor IS NOT NULL)
  AND (a.currency <> @currency OR @amount_minor::bigint <= coalesce(a.captured_minor, a.amount_minor))
  AND @merchant::text IN ('', a.shop_code) AND coalesce(sqlc.narg(test_mode)::boolean, a.test_mode) = a.test_mode
FOR UPDATE OF t
ON CONFLICT (attempt_id) DO UPDATE
SET state = excluded.state, ended_at = excluded.ended_at, amount_minor = excluded.amount_minor,
    currency = CASE WHEN @amount_minor::bigint <> 0 THEN excluded.currency ELSE dispute.currency END,
    opened_at = CASE excluded.state WHEN 'opened' THEN excluded.opened_at ELSE dispute.opened_at END, due_at = coalesce(excluded.due_at, dispute.due_at)
WHERE excluded.state <> 'opened' AND (dispute.state <> excluded.state OR dispute.amount_minor <> excluded.amount_minor) AND excluded.ended_at >= dispute.opened_at
      AND (dispute.ended_at IS NULL OR dispute.ended_at < excluded.ended_at)
   OR excluded.state = 'opened' AND dispute.state = 'won' AND dispute.ended_at < excluded.opened_at;

-- name: DisputeKnown :one
SELECT EXISTS (SELECT FROM dispute WHERE attempt_id = @attempt_id);

-- name: DisputeHolds :one
-- Reports whether the bank holds a payment's money or has taken it back, so that it must not be refunded as well. A dispute of an attempt
-- that was not known as paid, or one that is not readable, is stored as unmatched, and counts until that is closed.
SELECT (EXISTS (SELECT FROM dispute d WHERE d.transaction_id = @transaction_id AND d.state <> 'won')
    OR EXISTS (
        SELECT FROM attempt a JOIN unmatched_movement u ON u.kind = 'dispute'
            AND (u.reference = a.id::text OR u.trx_id = a.transaction_id OR u.trx_id = '' AND u.transactionid = a.transactionid)
        WHERE a.transaction_id = @transaction_id AND u.closed_at IS NULL AND a.state NOT IN ('declined', 'not_charged')
    ))::boolean AS holds;

-- name: MoneyInQuestion :one
-- Reports whether the gateway's ledger and our books differ about a transaction. own is the reference of a movement of ours that does not
-- count, because somebody is deciding it.
SELECT EXISTS (SELECT FROM money_in_question q WHERE q.transaction_id = @transaction_id AND q.reference <> @own)::boolean AS in_question;

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
