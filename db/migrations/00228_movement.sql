-- +goose Up

-- Each movement of a shop's money has a row, written by triggers in the transaction that makes the movement final: a capture, a refund, what a
-- bank took in a dispute and returned, and the fees of a payout. A capture in another currency than asked for counts once it was given back.
-- A row only gets its payout and its share of the payout's fees later; what turns out to be wrong is corrected by another row with the
-- difference, whose id is not its reference.
SET LOCAL statement_timeout = 0; -- filling it takes as long as the books are old
DROP VIEW movement;
CREATE TABLE movement (
    kind           text NOT NULL CHECK (kind IN ('capture', 'refund', 'taken', 'returned', 'fee')),
    id             uuid NOT NULL, -- of the attempt, the refund or the ledger's entry
    reference      text NOT NULL, -- what a payout calls it: that of the attempt or the refund
    transaction_id text, -- null: a fee
    shop_code      text NOT NULL,
    test_mode      boolean NOT NULL,
    currency       text NOT NULL,
    amount_minor   bigint NOT NULL, -- what the shop loses is negative
    gst_minor      bigint NOT NULL DEFAULT 0, -- the part of amount_minor
    method         text NOT NULL, -- '' of a fee
    moved_at       timestamptz NOT NULL, -- when the money moved
    booked_at      timestamptz NOT NULL, -- when the row was written; closings go by it
    payout         bigint, -- null: the shop is owed it
    fee_minor      bigint NOT NULL DEFAULT 0, -- its share of the payout's fees
    PRIMARY KEY (kind, id)
);

-- The tax in a price that includes it: an eleventh, to the nearest cent.
-- +goose StatementBegin
CREATE FUNCTION gst_in(minor bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT (2 * minor + 11) / 22 $$;
-- +goose StatementEnd

-- The books so far. The closings there are count the same rows as before: booked_at is within the closing that has the row (closing_entry says
-- which; a row without an entry that moved in a closing's last day was recorded too late for it). Tax of refunds was rounded for each one, which
-- the statements sent so far have; a row for each difference corrects it.
INSERT INTO movement (kind, id, reference, transaction_id, shop_code, test_mode, currency, amount_minor, gst_minor, method, moved_at, booked_at)
SELECT m.kind, m.id, m.id::text, m.transaction_id, m.shop_code, m.test_mode, m.currency, m.amount_minor, m.gst_minor, m.method, m.moved_at,
       CASE WHEN e.no IS NOT NULL THEN greatest(m.moved_at, e.since) WHEN m.moved_at >= c.until_at - interval '24 hours' THEN c.until_at ELSE m.moved_at END
FROM (
    SELECT 'capture' AS kind, a.id, a.transaction_id, a.shop_code, a.test_mode, a.currency, coalesce(a.captured_minor, a.amount_minor) AS amount_minor,
           CASE WHEN a.currency = 'AUD' AND c.abn <> '' AND c.gst_included THEN gst_in(coalesce(a.captured_minor, a.amount_minor)) ELSE 0 END AS gst_minor,
           a.method, a.settled_at AS moved_at
    FROM attempt a LEFT JOIN receipt c ON c.transaction_id = a.transaction_id WHERE a.state = 'approved'
    UNION ALL
    SELECT 'capture', a.id, r.transaction_id, r.shop_code, r.test_mode, r.currency, r.amount_minor, 0, a.method, r.settled_at
    FROM refund r JOIN attempt a ON a.id = r.attempt_id AND a.state <> 'approved' WHERE r.state = 'done'
    UNION ALL
    SELECT 'refund', r.id, r.transaction_id, r.shop_code, r.test_mode, r.currency, -r.amount_minor,
           CASE WHEN r.currency = 'AUD' AND r.attempt_id IS NULL AND c.abn <> '' AND c.gst_included THEN -gst_in(r.amount_minor) ELSE 0 END,
           coalesce(a.method, 'card'), r.settled_at
    FROM refund r JOIN transaction t ON t.id = r.transaction_id LEFT JOIN receipt c ON c.transaction_id = r.transaction_id
    LEFT JOIN attempt a ON a.id = coalesce(r.attempt_id, t.approved_attempt) WHERE r.state = 'done'
) m
LEFT JOIN LATERAL (
    SELECT e.no, x.since FROM closing_entry e JOIN closing x ON x.shop_code = e.shop_code AND x.test_mode = e.test_mode AND x.no = e.no
    WHERE e.kind = m.kind AND e.id = m.id) e ON true
LEFT JOIN LATERAL (
    SELECT x.until_at FROM closing x WHERE x.shop_code = m.shop_code AND x.test_mode = m.test_mode AND x.since <= m.moved_at AND x.until_at > m.moved_at
    ORDER BY x.no LIMIT 1) c ON e.no IS NULL;

INSERT INTO movement (kind, id, reference, transaction_id, shop_code, test_mode, currency, amount_minor, gst_minor, method, moved_at, booked_at)
SELECT 'refund', md5('gst ' || m.transaction_id)::uuid, max(m.reference), m.transaction_id, m.shop_code, m.test_mode, m.currency, 0,
       -gst_in(-sum(m.amount_minor)::bigint) - sum(m.gst_minor), max(m.method), now(), now()
FROM movement m WHERE m.kind = 'refund' AND m.gst_minor <> 0
GROUP BY m.transaction_id, m.shop_code, m.test_mode, m.currency HAVING gst_in(-sum(m.amount_minor)::bigint) <> -sum(m.gst_minor);

-- No closing has what banks took: the next one does.
INSERT INTO movement (kind, id, reference, transaction_id, shop_code, test_mode, currency, amount_minor, method, moved_at, booked_at)
SELECT 'taken', d.attempt_id, d.attempt_id::text, d.transaction_id, d.shop_code, d.test_mode, d.currency, -d.amount_minor, a.method, d.ended_at,
       greatest(d.ended_at, (SELECT max(c.until_at) FROM closing c WHERE c.shop_code = d.shop_code AND c.test_mode = d.test_mode))
FROM dispute d JOIN attempt a ON a.id = d.attempt_id WHERE d.state = 'lost';

CREATE INDEX movement_transaction ON movement (transaction_id);
CREATE INDEX movement_desk ON movement (shop_code, test_mode, moved_at, id) INCLUDE (kind, currency, amount_minor);
CREATE INDEX movement_booked ON movement (shop_code, test_mode, booked_at);
CREATE INDEX movement_owed ON movement (shop_code, test_mode, moved_at, id) INCLUDE (kind, currency, amount_minor) WHERE payout IS NULL;
DROP INDEX refund_foreign;

-- A closing goes by booked_at.
DROP TABLE closing_entry;

ALTER TABLE export DROP CONSTRAINT export_kind_check;
ALTER TABLE export ADD CONSTRAINT export_kind_check CHECK (kind IN ('payments', 'lines', 'refunds', 'disputes', 'payouts'));

-- When a row is booked. A closing ends at movements_until: all rows that are booked earlier are committed, and none comes later, because the
-- shared lock is held from before the clock is read until after the commit.
-- +goose StatementBegin
CREATE FUNCTION movement_book() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(1836021349, hashtext(NEW.shop_code));
    NEW.booked_at := clock_timestamp();
    RETURN NEW;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION movements_until(shop text) RETURNS timestamptz LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(1836021349, hashtext(shop));
    RETURN clock_timestamp();
END $$;
-- +goose StatementEnd
CREATE TRIGGER movement_books BEFORE INSERT ON movement FOR EACH ROW EXECUTE FUNCTION movement_book();

-- The receipt, which is made later in the same transaction, states the tax of this row.
-- +goose StatementBegin
CREATE FUNCTION attempt_moves() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE taken bigint := coalesce(NEW.captured_minor, NEW.amount_minor);
BEGIN
    INSERT INTO movement (kind, id, reference, transaction_id, shop_code, test_mode, currency, amount_minor, gst_minor, method, moved_at)
    SELECT 'capture', NEW.id, NEW.id, NEW.transaction_id, NEW.shop_code, NEW.test_mode, NEW.currency, taken,
           CASE WHEN NEW.currency = 'AUD' AND s.abn <> '' AND s.gst_included THEN gst_in(taken) ELSE 0 END, NEW.method, NEW.settled_at
    FROM shop s WHERE s.code = NEW.shop_code
    ON CONFLICT (kind, id) DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- The tax in a refund is that in all that was refunded so far, less what is booked of it, so that it adds up to the tax of the whole. A capture
-- in its own currency that is given back is approved after this, in the same transaction.
-- +goose StatementBegin
CREATE FUNCTION refund_moves() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    a attempt;
    back bigint;
    booked bigint;
    taxed boolean;
BEGIN
    SELECT x.* INTO a FROM attempt x WHERE x.id = coalesce(NEW.attempt_id, (SELECT t.approved_attempt FROM transaction t WHERE t.id = NEW.transaction_id));
    IF NEW.currency <> a.currency THEN
        INSERT INTO movement (kind, id, reference, transaction_id, shop_code, test_mode, currency, amount_minor, method, moved_at)
        VALUES ('capture', a.id, a.id, a.transaction_id, a.shop_code, a.test_mode, NEW.currency, NEW.amount_minor, a.method, NEW.settled_at)
        ON CONFLICT (kind, id) DO NOTHING;
    END IF;
    SELECT coalesce(sum(-m.amount_minor) FILTER (WHERE m.kind = 'refund'), 0) + NEW.amount_minor,
           coalesce(sum(m.gst_minor) FILTER (WHERE m.kind = 'refund'), 0), bool_or(m.gst_minor <> 0) FILTER (WHERE m.kind = 'capture')
    INTO back, booked, taxed
    FROM movement m WHERE m.transaction_id = NEW.transaction_id AND m.currency = NEW.currency;
    IF taxed IS NULL THEN
        SELECT NEW.currency = 'AUD' AND s.abn <> '' AND s.gst_included INTO taxed FROM shop s WHERE s.code = NEW.shop_code;
    END IF;
    INSERT INTO movement (kind, id, reference, transaction_id, shop_code, test_mode, currency, amount_minor, gst_minor, method, moved_at)
    VALUES ('refund', NEW.id, NEW.id, NEW.transaction_id, NEW.shop_code, NEW.test_mode, NEW.currency, -NEW.amount_minor,
            CASE WHEN taxed THEN -gst_in(back) - booked ELSE 0 END, coalesce(a.method, 'card'), NEW.settled_at)
    ON CONFLICT (kind, id) DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- Books that the bank holds an amount of a payment since an entry of the ledger, or returned it: a row with the difference to what is booked.
-- In another currency than before, what was taken in that one is returned.
-- +goose StatementBegin
CREATE FUNCTION bank_holds(entry uuid, disputed uuid, held_minor bigint, held_currency text, at timestamptz) RETURNS void LANGUAGE sql AS $$
    INSERT INTO movement (kind, id, reference, transaction_id, shop_code, test_mode, currency, amount_minor, method, moved_at)
    SELECT CASE WHEN d.change < 0 THEN 'taken' ELSE 'returned' END, entry, a.id, a.transaction_id, a.shop_code, a.test_mode, d.currency, d.change, a.method, at
    FROM attempt a CROSS JOIN LATERAL (
        SELECT x.currency, -sum(x.amount_minor) AS change FROM (
            SELECT held_currency AS currency, held_minor AS amount_minor
            UNION ALL
            SELECT m.currency, m.amount_minor FROM movement m
            WHERE m.transaction_id = a.transaction_id AND m.reference = a.id::text AND m.kind IN ('taken', 'returned')) x
        GROUP BY x.currency HAVING sum(x.amount_minor) <> 0) d
    WHERE a.id = disputed
    ON CONFLICT (kind, id) DO NOTHING
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION dispute_holds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM bank_holds(md5(NEW.attempt_id::text || NEW.state || coalesce(NEW.ended_at, NEW.opened_at)::text)::uuid, NEW.attempt_id,
        CASE NEW.state WHEN 'lost' THEN NEW.amount_minor ELSE 0 END, NEW.currency, coalesce(NEW.ended_at, NEW.opened_at));
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- As in 00161: requests may run as a role that has no rights to a new table yet.
-- +goose StatementBegin
DO $$
DECLARE name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['attempt_moves', 'refund_moves', 'dispute_holds'] LOOP
        EXECUTE format('ALTER FUNCTION %I() SECURITY DEFINER SET search_path = %I, pg_temp', name, current_schema());
    END LOOP;
END $$;
-- +goose StatementEnd

CREATE TRIGGER attempt_moved AFTER INSERT ON attempt FOR EACH ROW WHEN (NEW.state = 'approved') EXECUTE FUNCTION attempt_moves();
CREATE TRIGGER attempt_moves AFTER UPDATE OF state ON attempt
    FOR EACH ROW WHEN (NEW.state = 'approved' AND OLD.state <> NEW.state) EXECUTE FUNCTION attempt_moves();
CREATE TRIGGER refund_moved AFTER INSERT ON refund FOR EACH ROW WHEN (NEW.state = 'done') EXECUTE FUNCTION refund_moves();
CREATE TRIGGER refund_moves AFTER UPDATE OF state ON refund
    FOR EACH ROW WHEN (NEW.state = 'done' AND OLD.state <> NEW.state) EXECUTE FUNCTION refund_moves();
CREATE TRIGGER dispute_held AFTER INSERT ON dispute FOR EACH ROW EXECUTE FUNCTION dispute_holds();
CREATE TRIGGER dispute_holds AFTER UPDATE OF state, amount_minor, currency ON dispute FOR EACH ROW EXECUTE FUNCTION dispute_holds();

-- How a payment stands, in its own currency. captured_minor is 0 until it is paid. under_way_minor is reserved for refunds that are not
-- decided; disputed_minor is what the bank holds until a dispute is decided; lost_minor is what banks took and did not return.
CREATE VIEW position AS
SELECT t.id AS transaction_id, t.amount_minor AS asked_minor, m.captured_minor, m.refunded_minor,
       (SELECT coalesce(sum(r.amount_minor), 0) FROM refund r
        WHERE r.transaction_id = t.id AND r.state IN ('open', 'pending', 'manual') AND r.attempt_id IS NULL)::bigint AS under_way_minor,
       (SELECT coalesce(sum(d.amount_minor), 0) FROM dispute d
        WHERE d.transaction_id = t.id AND d.state = 'opened' AND d.currency = t.currency)::bigint AS disputed_minor,
       m.lost_minor, m.returned_minor, m.fees_minor, m.paid_out_minor, m.captured_minor - m.refunded_minor - m.lost_minor AS kept_minor, m.gst_minor
FROM transaction t CROSS JOIN LATERAL (
    SELECT coalesce(sum(x.amount_minor) FILTER (WHERE x.kind = 'capture'), 0)::bigint AS captured_minor,
           coalesce(-sum(x.amount_minor) FILTER (WHERE x.kind = 'refund'), 0)::bigint AS refunded_minor,
           coalesce(-sum(x.amount_minor) FILTER (WHERE x.kind IN ('taken', 'returned')), 0)::bigint AS lost_minor,
           coalesce(sum(x.amount_minor) FILTER (WHERE x.kind = 'returned'), 0)::bigint AS returned_minor,
           coalesce(sum(x.fee_minor), 0)::bigint AS fees_minor,
           coalesce(sum(x.amount_minor) FILTER (WHERE x.payout IS NOT NULL), 0)::bigint AS paid_out_minor,
           coalesce(sum(x.gst_minor), 0)::bigint AS gst_minor
    FROM movement x WHERE x.transaction_id = t.id AND x.currency = t.currency) m;

-- +goose Down
DROP VIEW position;
DELETE FROM export WHERE kind = 'disputes';
ALTER TABLE export DROP CONSTRAINT export_kind_check;
ALTER TABLE export ADD CONSTRAINT export_kind_check CHECK (kind IN ('payments', 'lines', 'refunds', 'payouts'));
CREATE TABLE closing_entry (
    kind      text NOT NULL CHECK (kind IN ('capture', 'refund')),
    id        uuid NOT NULL,
    shop_code text NOT NULL,
    test_mode boolean NOT NULL,
    no        integer NOT NULL,
    PRIMARY KEY (kind, id),
    FOREIGN KEY (shop_code, test_mode, no) REFERENCES closing DEFERRABLE INITIALLY DEFERRED
);
INSERT INTO closing_entry (kind, id, shop_code, test_mode, no)
SELECT m.kind, m.id, m.shop_code, m.test_mode, c.no
FROM movement m JOIN closing c ON c.shop_code = m.shop_code AND c.test_mode = m.test_mode AND c.since <= m.booked_at AND c.until_at > m.booked_at
WHERE m.kind IN ('capture', 'refund') AND m.reference = m.id::text AND m.moved_at >= c.until_at - interval '24 hours';
DROP TRIGGER dispute_holds ON dispute;
DROP TRIGGER dispute_held ON dispute;
DROP TRIGGER refund_moves ON refund;
DROP TRIGGER refund_moved ON refund;
DROP TRIGGER attempt_moves ON attempt;
DROP TRIGGER attempt_moved ON attempt;
DROP FUNCTION dispute_holds, bank_holds, refund_moves, attempt_moves, movements_until;
DROP TABLE movement;
DROP FUNCTION movement_book, gst_in;
CREATE INDEX refund_foreign ON refund (shop_code, test_mode, settled_at) WHERE attempt_id IS NOT NULL;
CREATE VIEW movement AS
SELECT 'capture'::text AS kind, a.id, a.transaction_id, a.shop_code, a.test_mode, a.currency,
       coalesce(a.captured_minor, a.amount_minor) AS amount_minor, a.method, a.settled_at AS moved_at,
       CASE WHEN a.currency = 'AUD' AND (SELECT c.abn <> '' AND c.gst_included FROM receipt c WHERE c.transaction_id = a.transaction_id)
            THEN (2 * coalesce(a.captured_minor, a.amount_minor) + 11) / 22 ELSE 0 END AS gst_minor
FROM attempt a WHERE a.state = 'approved'
UNION ALL
SELECT 'capture'::text, a.id, r.transaction_id, r.shop_code, r.test_mode, r.currency, r.amount_minor, a.method, r.settled_at, 0::bigint
FROM refund r JOIN attempt a ON a.id = r.attempt_id AND a.state <> 'approved' WHERE r.state = 'done' AND r.attempt_id IS NOT NULL
UNION ALL
SELECT 'refund'::text, r.id, r.transaction_id, r.shop_code, r.test_mode, r.currency, r.amount_minor,
       coalesce((SELECT a.method FROM attempt a WHERE a.id = coalesce(r.attempt_id, (SELECT t.approved_attempt FROM transaction t WHERE t.id = r.transaction_id))), 'card'),
       r.settled_at,
       CASE WHEN r.currency = 'AUD' AND r.attempt_id IS NULL
                 AND (SELECT c.abn <> '' AND c.gst_included FROM receipt c WHERE c.transaction_id = r.transaction_id)
            THEN (2 * r.amount_minor + 11) / 22 ELSE 0 END
FROM refund r WHERE r.state = 'done';
