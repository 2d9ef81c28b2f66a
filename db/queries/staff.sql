-- name: StaffWaiting :one
-- Counts the cases that wait for staff in each queue. The queues of payments, refunds and payouts have their own queries.
SELECT
    (SELECT count(*) FROM form f WHERE f.state = 'submitted') AS forms,
    (SELECT count(*) FROM compliance_person p WHERE p.state = 'waiting') AS people,
    (SELECT count(*) FROM go_live g JOIN client c ON c.code = g.client_code WHERE g.state = 'waiting' AND c.demo_open IS NOT FALSE) AS go_live,
    (SELECT count(*) FROM client c WHERE c.demo_open IS NOT FALSE
        AND NOT EXISTS (SELECT FROM client_account a WHERE a.client_code = c.code AND a.live)) AS accounts,
    (SELECT count(*) FROM unmatched_movement m WHERE m.closed_at IS NULL) AS unmatched,
    (SELECT count(*) FROM dispute d WHERE d.state = 'opened') AS disputes;
