-- +goose Up

-- What moved and is in no payout, as a business sees it: refunds and lost disputes are negative. The table unsettled has it up to the time
-- when it was last filled; what moved since is looked up. If the gateway has listed no payout yet, this covers the last thirty days.
CREATE VIEW owed AS
    SELECT u.reference, u.kind, u.transaction_id, u.client_code, CASE u.kind WHEN 'capture' THEN u.amount_minor ELSE -u.amount_minor END AS amount_minor,
           u.currency, u.test_mode, u.moved_at, true AS late
    FROM unsettled u
    WHERE NOT EXISTS (SELECT FROM payout_line l WHERE l.reference = u.reference AND l.kind = u.kind)
    UNION ALL
    SELECT a.id::text, 'capture', a.transaction_id, a.client_code, coalesce(a.captured_minor, a.amount_minor), a.currency, a.test_mode, a.settled_at, false
    FROM attempt a
    WHERE a.state = 'approved' AND a.settled_at >= (SELECT coalesce((SELECT r.until_at FROM ledger_read r WHERE r.kind = 'settled'), now() - interval '30 days'))
      AND NOT EXISTS (SELECT FROM payout_line l WHERE l.reference = a.id::text AND l.kind = 'capture')
    UNION ALL
    SELECT f.id::text, 'refund', f.transaction_id, f.client_code, -f.amount_minor, f.currency, f.test_mode, f.settled_at, false
    FROM refund f
    WHERE f.state = 'done' AND f.settled_at >= (SELECT coalesce((SELECT r.until_at FROM ledger_read r WHERE r.kind = 'settled'), now() - interval '30 days'))
      AND NOT EXISTS (SELECT FROM payout_line l WHERE l.reference = f.id::text AND l.kind = 'refund')
    UNION ALL
    SELECT d.attempt_id::text, 'dispute', d.transaction_id, d.client_code, -d.amount_minor, d.currency, d.test_mode, d.ended_at, false
    FROM dispute d
    WHERE d.state = 'lost' AND d.ended_at >= (SELECT coalesce((SELECT r.until_at FROM ledger_read r WHERE r.kind = 'settled'), now() - interval '30 days'))
      AND NOT EXISTS (SELECT FROM payout_line l WHERE l.reference = d.attempt_id::text AND l.kind = 'dispute');

-- +goose Down
DROP VIEW owed;
