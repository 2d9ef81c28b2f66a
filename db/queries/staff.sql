-- name: StaffWaiting :one
-- Counts the cases that wait for staff in each queue. The queues of payments, refunds and payouts have their own queries.
SELECT
    (SELECT count(*) FROM form f WHERE f.state = 'submitted') AS forms,
    (SELECT count(*) FROM compliance_person p WHERE p.state = 'waiting') AS people,
    (SELECT count(*) FROM go_live g JOIN shop c ON c.code = g.shop_code WHERE g.state = 'waiting' AND c.demo_open IS NOT FALSE) AS go_live,
    (SELECT count(*) FROM shop c WHERE c.demo_open IS NOT FALSE
        AND NOT EXISTS (SELECT FROM shop_account a WHERE a.shop_code = c.code AND a.live)) AS accounts,
    (SELECT count(*) FROM payout_account_state a JOIN shop c ON c.code = a.shop_code
        WHERE a.state = 'waiting' AND c.demo_open IS NOT FALSE) AS payout_accounts,
    ((SELECT count(*) FROM transaction t WHERE t.differences <> '[]') + (SELECT count(*) FROM ledger_entry e WHERE e.problem <> ''))::bigint AS unmatched,
    (SELECT count(*) FROM dispute d WHERE d.state = 'opened') AS disputes;

-- name: StaffMails :many
-- The addresses of all staff.
SELECT email FROM account WHERE staff AND demo_open IS NOT FALSE ORDER BY email;

-- name: DecidedLetter :one
-- The attempt, refund, entry of a ledger or transaction that a letter to staff is about.
SELECT m.transaction_id::text AS transaction_id, m.amount_minor, trim(m.currency)::text AS currency, m.test_mode::boolean AS test_mode, m.is_refund,
       coalesce(c.name, m.shop_code)::text AS shop_name
FROM (
    SELECT a.transaction_id, a.shop_code, a.amount_minor, a.currency, a.test_mode, false AS is_refund FROM attempt a WHERE a.id = @id
    UNION ALL
    SELECT r.transaction_id, r.shop_code, r.amount_minor, r.currency, r.test_mode, true FROM refund r WHERE r.id = @id
    UNION ALL
    SELECT coalesce(e.transaction_id, e.reference), e.merchant, e.amount_minor, e.currency, coalesce(e.test_mode, false), e.kind = 'refund'
    FROM ledger_entry e WHERE e.id = @id
    UNION ALL
    SELECT t.id, t.shop_code, t.amount_minor, t.currency, t.test_mode, false FROM transaction t WHERE t.id = @subject
) m LEFT JOIN shop c ON c.code = m.shop_code LIMIT 1;
