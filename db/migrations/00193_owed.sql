-- +goose Up

-- Apart from 00192, so that no transaction holds ledger_read while it waits for the view, which readers of the desk hold.

-- +goose StatementBegin
CREATE FUNCTION payout_line_found() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM awaited w USING placed l WHERE w.reference = l.reference AND w.kind = l.kind;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- As in 00161: requests may run as a role that has no rights to a new table yet.
-- +goose StatementBegin
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION payout_line_found() SECURITY DEFINER SET search_path = %I, pg_temp', current_schema());
END $$;
-- +goose StatementEnd

CREATE TRIGGER payout_line_placed AFTER UPDATE ON payout_line REFERENCING NEW TABLE AS placed
    FOR EACH STATEMENT EXECUTE FUNCTION payout_line_found();

-- What a payout has to hold once: charges, refunds, and disputes that were lost.
CREATE VIEW settled_movement AS
    SELECT a.id::text AS reference, 'capture'::text AS kind, a.transaction_id, a.client_code, coalesce(a.captured_minor, a.amount_minor) AS amount_minor,
           a.currency, a.test_mode, a.settled_at AS moved_at
    FROM attempt a WHERE a.state = 'approved'
    UNION ALL
    SELECT f.id::text, 'refund'::text, f.transaction_id, f.client_code, f.amount_minor, f.currency, f.test_mode, f.settled_at
    FROM refund f WHERE f.state = 'done'
    UNION ALL
    SELECT d.attempt_id::text, 'dispute'::text, d.transaction_id, d.client_code, d.amount_minor, d.currency, d.test_mode, d.ended_at
    FROM dispute d WHERE d.state = 'lost';

-- Until when unsettled and awaited list what is in no payout. If the gateway has listed no payout yet, nothing is listed, and owed covers
-- the last thirty days.
CREATE VIEW owed_mark AS
    SELECT coalesce((SELECT r.until_at FROM ledger_read r WHERE r.kind = 'settled'), now() - interval '30 days') AS late_until,
           coalesce((SELECT greatest(r.until_at, r.listed_until) FROM ledger_read r WHERE r.kind = 'settled'), now() - interval '30 days') AS listed_until;

-- What moved and is in no payout, as a business sees it: refunds and lost disputes are negative. Disputes are few, and one that was lost may
-- still be won, so they are never listed as awaited.
CREATE OR REPLACE VIEW owed AS
    SELECT u.reference, u.kind, u.transaction_id, u.client_code, CASE u.kind WHEN 'capture' THEN u.amount_minor ELSE -u.amount_minor END AS amount_minor,
           u.currency, u.test_mode, u.moved_at, true AS late
    FROM unsettled u
    WHERE u.moved_at < (SELECT o.late_until FROM owed_mark o)
      AND NOT EXISTS (SELECT FROM payout_line l WHERE l.reference = u.reference AND l.kind = u.kind)
    UNION ALL
    SELECT w.reference, w.kind, w.transaction_id, w.client_code, CASE w.kind WHEN 'capture' THEN w.amount_minor ELSE -w.amount_minor END,
           w.currency, w.test_mode, w.moved_at, false
    FROM awaited w
    WHERE w.moved_at >= (SELECT o.late_until FROM owed_mark o) AND w.moved_at < (SELECT o.listed_until FROM owed_mark o)
    UNION ALL
    SELECT m.reference, m.kind, m.transaction_id, m.client_code, CASE m.kind WHEN 'capture' THEN m.amount_minor ELSE -m.amount_minor END,
           m.currency, m.test_mode, m.moved_at, false
    FROM settled_movement m
    LEFT JOIN LATERAL (
        SELECT true AS held FROM payout_line l
        WHERE l.reference = m.reference AND l.kind = m.kind AND l.kind NOT IN ('unknown', 'again') LIMIT 1) l ON true -- one by one, by the key
    WHERE l.held IS NULL
      AND m.moved_at >= CASE m.kind WHEN 'dispute' THEN (SELECT o.late_until FROM owed_mark o) ELSE (SELECT o.listed_until FROM owed_mark o) END;

-- +goose Down
CREATE OR REPLACE VIEW owed AS
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
DROP VIEW owed_mark;
DROP VIEW settled_movement;
DROP TRIGGER payout_line_placed ON payout_line;
DROP FUNCTION payout_line_found;
