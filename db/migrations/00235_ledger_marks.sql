-- +goose Up

-- Marks of readings: since when payouts are owed, when they are late, until when staff were told of cases.
ALTER TABLE ledger_read RENAME TO ledger_mark;
INSERT INTO ledger_mark (kind, until_at) VALUES ('told', now());
ALTER TABLE ledger_reading DROP COLUMN served;

-- A refund that goes from declined to a person is judged, too: the ledger may list it by now.
DROP TRIGGER refund_judged ON refund;
CREATE TRIGGER refund_judged AFTER INSERT OR UPDATE OF state, amount_minor ON refund
    FOR EACH ROW WHEN (NEW.state IN ('done', 'declined', 'manual')) EXECUTE FUNCTION books_judge('refund');

-- +goose Down
DROP TRIGGER refund_judged ON refund;
CREATE TRIGGER refund_judged AFTER INSERT OR UPDATE OF state, amount_minor ON refund
    FOR EACH ROW WHEN (NEW.state IN ('done', 'declined')) EXECUTE FUNCTION books_judge('refund');
ALTER TABLE ledger_reading ADD COLUMN served boolean NOT NULL DEFAULT true;
DELETE FROM ledger_mark WHERE kind = 'told';
ALTER TABLE ledger_mark RENAME TO ledger_read;
