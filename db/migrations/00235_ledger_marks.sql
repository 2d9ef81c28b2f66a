-- +goose Up
SET LOCAL statement_timeout = 0; -- movements are written again

-- Marks of readings: since when payouts are owed, when they are late, until when staff were told of cases.
ALTER TABLE ledger_read RENAME TO ledger_mark;
INSERT INTO ledger_mark (kind, until_at) VALUES ('told', now());
ALTER TABLE ledger_reading DROP COLUMN served;

-- What corrects a charge or a refund has its reference, and counts as no other one.
ALTER TABLE movement ADD COLUMN correction boolean NOT NULL GENERATED ALWAYS AS (kind IN ('capture', 'refund') AND reference <> id::text) STORED;
DROP INDEX movement_desk;
CREATE INDEX movement_desk ON movement (shop_code, test_mode, moved_at, id) INCLUDE (kind, currency, amount_minor, correction);

-- A refund that goes from declined to a person is judged, too: the ledger may list it by now.
DROP TRIGGER refund_judged ON refund;
CREATE TRIGGER refund_judged AFTER INSERT OR UPDATE OF state, amount_minor ON refund
    FOR EACH ROW WHEN (NEW.state IN ('done', 'declined', 'manual')) EXECUTE FUNCTION books_judge('refund');

-- +goose Down
DROP TRIGGER refund_judged ON refund;
CREATE TRIGGER refund_judged AFTER INSERT OR UPDATE OF state, amount_minor ON refund
    FOR EACH ROW WHEN (NEW.state IN ('done', 'declined')) EXECUTE FUNCTION books_judge('refund');
DROP INDEX movement_desk;
CREATE INDEX movement_desk ON movement (shop_code, test_mode, moved_at, id) INCLUDE (kind, currency, amount_minor);
ALTER TABLE movement DROP COLUMN correction;
ALTER TABLE ledger_reading ADD COLUMN served boolean NOT NULL DEFAULT true;
DELETE FROM ledger_mark WHERE kind = 'told';
ALTER TABLE ledger_mark RENAME TO ledger_read;
