-- +goose Up
RESET lock_timeout; -- 00234 left it off
SET LOCAL statement_timeout = 0; -- movements are written again

-- Marks of readings: since when payouts are owed, when they are late, until when staff were told of cases.
ALTER TABLE ledger_read RENAME TO ledger_mark;
INSERT INTO ledger_mark (kind, until_at) VALUES ('told', now());
ALTER TABLE ledger_reading DROP COLUMN served;

-- A refund that goes from declined to a person is judged, too: the ledger may list it by now.
DROP TRIGGER refund_judged ON refund;
CREATE TRIGGER refund_judged AFTER INSERT OR UPDATE OF state, amount_minor ON refund
    FOR EACH ROW WHEN (NEW.state IN ('done', 'declined', 'manual')) EXECUTE FUNCTION books_judge('refund');

-- What a ledger lacks has the id of ours as its entry, so that accepting it accepts no other of the same words. The dispute of a charge that is
-- given back is in that charge's transaction, whatever it names.
-- +goose StatementBegin
DO $$
DECLARE
    judges text := pg_get_functiondef('differences_of(text)'::regprocedure);
BEGIN
    IF position('AND e.ours <> e.id,' IN judges) = 0 THEN
        RAISE EXCEPTION 'differences_of has another text';
    END IF;
    judges := replace(replace(judges, 'SELECT NULL, m.settled_at', 'SELECT m.id, m.settled_at'), 'SELECT NULL, a.settled_at', 'SELECT a.id, a.settled_at');
    EXECUTE replace(judges, 'AND e.ours <> e.id,', 'AND NOT EXISTS (SELECT FROM ledger_entry c WHERE c.id = e.ours),');
END $$;
-- +goose StatementEnd

-- A case is as old as its finding, not as the reading that found it: staff may have been told of others in between.
ALTER TABLE ledger_entry ALTER listed_at SET DEFAULT clock_timestamp();
-- +goose StatementBegin
DO $$ BEGIN
    EXECUTE replace(pg_get_functiondef('transaction_judge(text)'::regprocedure), 'coalesce(differ_since, now())', 'coalesce(differ_since, clock_timestamp())');
END $$;
-- +goose StatementEnd
SELECT transaction_judge(t.id) FROM transaction t WHERE t.differences <> '[]' AND NOT t.differences @> '[{"code": "waits"}]';

-- What corrects a charge or a refund has its reference, and counts as no other one.
ALTER TABLE movement ADD COLUMN correction boolean NOT NULL GENERATED ALWAYS AS (kind IN ('capture', 'refund') AND reference <> id::text) STORED;
DROP INDEX movement_desk;
CREATE INDEX movement_desk ON movement (shop_code, test_mode, moved_at, id) INCLUDE (kind, currency, amount_minor, correction);

-- What a payout holds, line by line; what corrects a charge or a refund belongs to its line.
CREATE VIEW payout_part AS
SELECT l.payout, l.line_no, l.kind, m.transaction_id, m.reference, m.method, m.moved_at, m.amount_minor + coalesce((
    SELECT sum(x.amount_minor) FROM movement x WHERE x.transaction_id = m.transaction_id AND x.correction AND x.kind = m.kind AND x.reference = m.reference
      AND x.payout = l.payout), 0)::bigint AS amount_minor
FROM payout_line l LEFT JOIN movement m ON m.kind = l.kind AND m.id = l.movement_id;

-- +goose Down
DROP VIEW payout_part;
ALTER TABLE ledger_entry ALTER listed_at SET DEFAULT now();
-- +goose StatementBegin
DO $$ BEGIN
    EXECUTE replace(pg_get_functiondef('transaction_judge(text)'::regprocedure), 'coalesce(differ_since, clock_timestamp())', 'coalesce(differ_since, now())');
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
DO $$
DECLARE
    judges text := pg_get_functiondef('differences_of(text)'::regprocedure);
BEGIN
    judges := replace(replace(judges, 'SELECT m.id, m.settled_at', 'SELECT NULL, m.settled_at'), 'SELECT a.id, a.settled_at', 'SELECT NULL, a.settled_at');
    EXECUTE replace(judges, 'AND NOT EXISTS (SELECT FROM ledger_entry c WHERE c.id = e.ours),', 'AND e.ours <> e.id,');
END $$;
-- +goose StatementEnd
DROP TRIGGER refund_judged ON refund;
CREATE TRIGGER refund_judged AFTER INSERT OR UPDATE OF state, amount_minor ON refund
    FOR EACH ROW WHEN (NEW.state IN ('done', 'declined')) EXECUTE FUNCTION books_judge('refund');
DROP INDEX movement_desk;
CREATE INDEX movement_desk ON movement (shop_code, test_mode, moved_at, id) INCLUDE (kind, currency, amount_minor);
ALTER TABLE movement DROP COLUMN correction;
ALTER TABLE ledger_reading ADD COLUMN served boolean NOT NULL DEFAULT true;
DELETE FROM ledger_mark WHERE kind = 'told';
ALTER TABLE ledger_mark RENAME TO ledger_read;
