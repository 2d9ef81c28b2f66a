-- +goose Up

-- A payout is known by its gateway, its id there and all that it says: another one with the same id is a second payout, and staff look at it.
-- What moved says in which payout it is (movement.payout); payout_line has what the gateway listed, and which movement was found for it.
SET LOCAL statement_timeout = 0; -- every payout is looked at again
DROP VIEW payout_in_doubt, owed, owed_mark, settled_movement;

-- What tells a payout from another one with its id.
-- +goose StatementBegin
CREATE FUNCTION payout_content(
    shop text, currency text, test boolean, gross bigint, fees bigint, net bigint, paid_at timestamptz, references_list text[]
) RETURNS bytea LANGUAGE sql STABLE AS $$
    SELECT sha256(convert_to(concat_ws(chr(10), shop, currency, test, gross, fees, net, extract(epoch FROM paid_at),
        (SELECT string_agg(r, chr(10) ORDER BY r) FROM unnest(references_list) r)), 'UTF8'))
$$;
-- +goose StatementEnd

ALTER TABLE payout_line DROP CONSTRAINT payout_line_payout_id_fkey;
ALTER TABLE payout DROP CONSTRAINT payout_pkey;
ALTER TABLE payout ADD COLUMN number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    ADD COLUMN gateway text NOT NULL DEFAULT '', -- '' until the gateway lists it again, if it is from before gateways were stored
    ADD COLUMN content bytea NOT NULL DEFAULT '';
ALTER TABLE payout ALTER COLUMN repeated DROP DEFAULT;
DROP INDEX payout_repeated;
ALTER TABLE payout ALTER COLUMN repeated TYPE boolean USING repeated <> '';
ALTER TABLE payout ALTER COLUMN repeated SET DEFAULT false;
UPDATE payout p SET content = payout_content(p.shop_code, p.currency, p.test_mode, p.gross_minor, p.fees_minor, p.net_minor, p.paid_at,
    (SELECT array_agg(l.reference) FROM payout_line l WHERE l.payout_id = p.id));
CREATE UNIQUE INDEX payout_once ON payout (id, gateway, content);
DROP INDEX payout_shop, payout_desk;
CREATE INDEX payout_shop ON payout (shop_code, test_mode, paid_at, number);
CREATE INDEX payout_repeated ON payout (paid_at) WHERE repeated;

-- Where a payout took or returned the money of a dispute, that is when it moved.
ALTER TABLE movement DISABLE TRIGGER movement_books;
INSERT INTO movement (kind, id, reference, transaction_id, shop_code, test_mode, currency, amount_minor, method, moved_at, booked_at)
SELECT CASE l.kind WHEN 'dispute' THEN 'taken' ELSE 'returned' END, d.attempt_id, d.attempt_id, d.transaction_id, d.shop_code, d.test_mode, d.currency,
       CASE l.kind WHEN 'dispute' THEN -d.amount_minor ELSE d.amount_minor END, a.method, p.paid_at,
       greatest(p.paid_at, (SELECT max(c.until_at) FROM closing c WHERE c.shop_code = d.shop_code AND c.test_mode = d.test_mode))
FROM payout_line l JOIN payout p ON p.id = l.payout_id JOIN dispute d ON d.attempt_id::text = l.reference JOIN attempt a ON a.id = d.attempt_id
WHERE l.kind IN ('dispute', 'returned')
ON CONFLICT (kind, id) DO NOTHING;
INSERT INTO movement (kind, id, reference, transaction_id, shop_code, test_mode, currency, amount_minor, method, moved_at, booked_at)
SELECT 'returned', m.id, m.reference, m.transaction_id, m.shop_code, m.test_mode, m.currency, -m.amount_minor, m.method, d.ended_at,
       greatest(d.ended_at, (SELECT max(c.until_at) FROM closing c WHERE c.shop_code = d.shop_code AND c.test_mode = d.test_mode))
FROM movement m JOIN dispute d ON d.attempt_id = m.id WHERE m.kind = 'taken' AND d.state = 'won'
ON CONFLICT (kind, id) DO NOTHING;

CREATE TABLE payout_listed AS SELECT p.number AS payout, l.line_no, l.reference FROM payout_line l JOIN payout p ON p.id = l.payout_id;
DROP TABLE payout_line;
ALTER TABLE payout_listed RENAME TO payout_line;
ALTER TABLE payout_line ALTER COLUMN payout SET NOT NULL, ALTER COLUMN line_no SET NOT NULL, ALTER COLUMN reference SET NOT NULL,
    ADD COLUMN kind text NOT NULL DEFAULT 'unknown' CHECK (kind IN ('capture', 'refund', 'taken', 'returned', 'unknown', 'again')),
    ADD COLUMN movement_id uuid, -- null: unknown, or in a payout already
    ADD PRIMARY KEY (payout, line_no),
    ADD CHECK ((movement_id IS NULL) = (kind IN ('unknown', 'again'))),
    ADD FOREIGN KEY (payout) REFERENCES payout (number) ON DELETE CASCADE;
CREATE INDEX payout_line_doubt ON payout_line (payout) WHERE kind IN ('unknown', 'again');
ALTER TABLE movement ADD FOREIGN KEY (payout) REFERENCES payout (number);
CREATE INDEX movement_payout ON movement (payout) WHERE payout IS NOT NULL;


-- Finds the movements of a payout's lines that are in no payout: those of its own business, currency and mode. A charge that is listed for the
-- second time is what a bank took, for the third time what it returned, in the order of time; what corrects a charge or a refund goes with it.
-- A refund of the gateway's console has a reference of the gateway's, which its ledger knows.
-- The payout's fees are shared among its charges by their amounts, so that the shares add up.
-- +goose StatementBegin
CREATE FUNCTION payout_place(placed bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE p payout;
BEGIN
    PERFORM pg_advisory_xact_lock(x'7061796f7574'::bigint); -- one after the other
    SELECT * INTO p FROM payout WHERE number = placed;
    WITH listed AS MATERIALIZED (
        SELECT l.line_no, o.id::text AS reference, o.id, row_number() OVER (PARTITION BY o.id ORDER BY l.line_no) AS nth
        FROM (
            SELECT y.line_no, y.reference, row_number() OVER (PARTITION BY y.reference ORDER BY y.line_no) AS nth
            FROM payout_line y WHERE y.payout = placed AND y.movement_id IS NULL
        ) l CROSS JOIN LATERAL (SELECT coalesce(
            (SELECT m.id FROM movement m WHERE m.kind IN ('capture', 'refund') AND m.id = text_uuid(l.reference) LIMIT 1),
            (SELECT e.id FROM ledger_entry e JOIN movement m ON m.kind = 'refund' AND m.id = e.id AND m.payout IS NULL
             WHERE e.kind = 'refund' AND e.reference = l.reference AND e.gateway = p.gateway
               AND e.merchant = p.shop_code AND e.test_mode = p.test_mode AND e.currency = p.currency AND e.withdrawn_at IS NULL
             ORDER BY e.at, e.id OFFSET l.nth - 1 LIMIT 1),
            (SELECT e.id FROM ledger_entry e JOIN movement m ON m.kind = 'capture' AND m.id = e.id
             WHERE e.kind = 'capture' AND e.reference = l.reference AND e.gateway = p.gateway ORDER BY e.at, e.id LIMIT 1),
            text_uuid(l.reference)) AS id) o
        WHERE o.id IS NOT NULL
    ), known AS MATERIALIZED (
        SELECT DISTINCT m.reference, m.transaction_id FROM listed l JOIN movement m ON m.kind IN ('capture', 'refund') AND m.id = l.id
        WHERE m.shop_code = p.shop_code AND m.test_mode = p.test_mode
    ), free AS (
        SELECT m.reference, m.kind, m.id, row_number() OVER (PARTITION BY m.reference ORDER BY m.kind IN ('taken', 'returned'), m.moved_at, m.booked_at, m.kind) AS nth
        FROM known k JOIN movement m ON m.transaction_id = k.transaction_id AND m.reference = k.reference
        WHERE m.payout IS NULL AND m.currency = p.currency AND m.test_mode = p.test_mode AND m.shop_code = p.shop_code
          AND (m.id::text = m.reference OR m.kind IN ('taken', 'returned'))
    ), found AS (
        UPDATE payout_line l SET movement_id = f.id, kind = coalesce(f.kind, CASE WHEN EXISTS (
            SELECT FROM known k JOIN movement m ON m.transaction_id = k.transaction_id AND m.reference = k.reference AND m.currency = p.currency
            WHERE k.reference = x.reference) THEN 'again' ELSE 'unknown' END)
        FROM listed x LEFT JOIN free f USING (reference, nth)
        WHERE l.payout = placed AND l.line_no = x.line_no
        RETURNING l.kind, l.movement_id
    )
    UPDATE movement m SET payout = placed
    FROM found f JOIN movement o ON o.kind = f.kind AND o.id = f.movement_id
    WHERE m.transaction_id = o.transaction_id AND m.kind = o.kind AND m.reference = o.reference AND m.payout IS NULL
      AND (m.id = o.id OR m.kind IN ('capture', 'refund'));

    UPDATE movement m SET fee_minor = s.upto - s.before
    FROM (
        SELECT c.kind, c.id, round(p.fees_minor * sum(c.amount_minor) OVER w / c.whole) AS upto,
               round(p.fees_minor * (sum(c.amount_minor) OVER w - c.amount_minor) / c.whole) AS before
        FROM (SELECT x.*, sum(x.amount_minor) OVER () AS whole FROM movement x WHERE x.payout = placed AND x.kind = 'capture') c
        WHERE c.whole > 0
        WINDOW w AS (ORDER BY c.moved_at, c.id)
    ) s
    WHERE m.kind = s.kind AND m.id = s.id AND m.fee_minor <> s.upto - s.before;

    INSERT INTO movement (kind, id, reference, shop_code, test_mode, currency, amount_minor, method, moved_at, booked_at, payout)
    SELECT 'fee', md5('payout ' || placed)::uuid, p.id, p.shop_code, p.test_mode, p.currency, -p.fees_minor, '', p.paid_at, p.paid_at, placed
    WHERE p.fees_minor <> 0 ON CONFLICT (kind, id) DO NOTHING;

    UPDATE payout SET held_minor = (
        SELECT coalesce(sum(m.amount_minor), 0) FROM movement m WHERE m.payout = placed AND m.kind <> 'fee')
    WHERE number = placed;
END $$;
-- +goose StatementEnd

SELECT payout_place(x.number) FROM (SELECT p.number FROM payout p ORDER BY p.paid_at, p.number) x;
UPDATE movement m SET booked_at = greatest(m.moved_at, (SELECT max(c.until_at) FROM closing c WHERE c.shop_code = m.shop_code AND c.test_mode = m.test_mode))
WHERE m.kind = 'fee';
ALTER TABLE movement ENABLE TRIGGER movement_books;

-- What a person has to look at in payouts, until somebody accepts the payout: lines that are unknown here or in another payout, a sum
-- that is wrong, an id that the gateway had given to another payout.
CREATE VIEW payout_in_doubt AS
    SELECT l.payout, l.reference, l.kind
    FROM payout_line l JOIN payout p ON p.number = l.payout
    WHERE l.kind IN ('unknown', 'again') AND p.accepted_at IS NULL
    UNION ALL
    SELECT p.number, '', 'sum'
    FROM payout p WHERE (p.held_minor <> p.gross_minor OR p.net_minor <> p.gross_minor - p.fees_minor) AND p.accepted_at IS NULL
    UNION ALL
    SELECT p.number, '', 'repeated'
    FROM payout p WHERE p.repeated AND p.accepted_at IS NULL;

-- What shops are owed: since thirty days before the gateway listed payouts for the first time (ledger_read has that as 'owed'); until then of
-- the last thirty days. It is late if it moved some days before payouts were last read (ledger_read has that as 'late'); what a bank took and
-- returned is missing in no payout.
INSERT INTO ledger_read (kind, until_at)
SELECT 'owed', least(now() - interval '30 days', (SELECT min(u.moved_at) FROM unsettled u), (SELECT min(w.moved_at) FROM awaited w),
    (SELECT min(m.moved_at) FROM movement m WHERE m.payout IS NOT NULL AND m.kind <> 'fee'))
WHERE EXISTS (SELECT FROM ledger_read r WHERE r.kind LIKE 'payout %')
ON CONFLICT (kind) DO NOTHING;
CREATE VIEW owed AS
SELECT m.*, m.moved_at < (SELECT coalesce((SELECT r.until_at FROM ledger_read r WHERE r.kind = 'late'), '-infinity'))
    AND (m.kind NOT IN ('taken', 'returned') OR 0 <> (
        SELECT sum(x.amount_minor) FROM movement x WHERE x.transaction_id = m.transaction_id AND x.reference = m.reference
          AND x.kind IN ('taken', 'returned') AND x.currency = m.currency AND x.payout IS NULL)) AS late
FROM movement m
WHERE m.payout IS NULL AND m.amount_minor <> 0
  AND m.moved_at >= (SELECT coalesce((SELECT r.until_at FROM ledger_read r WHERE r.kind = 'owed'), now() - interval '30 days'));

DROP FUNCTION payout_line_found;
DROP TABLE awaited, unsettled;
INSERT INTO ledger_read (kind, until_at) SELECT 'late', r.until_at FROM ledger_read r WHERE r.kind = 'settled';
DELETE FROM ledger_read WHERE kind = 'settled';
ALTER TABLE ledger_read DROP COLUMN listed_until;
DROP INDEX attempt_desk_taken, refund_desk, dispute_lost;

-- +goose Down
CREATE INDEX dispute_lost ON dispute (ended_at) WHERE state = 'lost';
CREATE INDEX refund_desk ON refund (shop_code, test_mode, settled_at) WHERE state IN ('done', 'declined');
CREATE INDEX attempt_desk_taken ON attempt (shop_code, test_mode, settled_at, id)
    INCLUDE (amount_minor, captured_minor, currency) WHERE state = 'approved';
ALTER TABLE ledger_read ADD COLUMN listed_until timestamptz;
DELETE FROM ledger_read WHERE kind IN ('owed', 'late');
CREATE TABLE unsettled (
    reference      text NOT NULL,
    kind           text NOT NULL CHECK (kind IN ('capture', 'refund', 'dispute')),
    transaction_id text NOT NULL,
    shop_code      text NOT NULL,
    amount_minor   bigint NOT NULL,
    currency       text NOT NULL,
    test_mode      boolean NOT NULL,
    moved_at       timestamptz NOT NULL,
    PRIMARY KEY (reference, kind)
);
CREATE INDEX unsettled_desk ON unsettled (shop_code, test_mode, moved_at);
CREATE TABLE awaited (
    reference      text NOT NULL,
    kind           text NOT NULL CHECK (kind IN ('capture', 'refund')),
    transaction_id text NOT NULL,
    shop_code      text NOT NULL,
    amount_minor   bigint NOT NULL,
    currency       text NOT NULL,
    test_mode      boolean NOT NULL,
    moved_at       timestamptz NOT NULL,
    PRIMARY KEY (reference, kind)
);
CREATE INDEX awaited_owed ON awaited (shop_code, test_mode, moved_at) INCLUDE (kind, amount_minor, currency);
DROP VIEW owed, payout_in_doubt;
DROP FUNCTION payout_place;
DELETE FROM movement WHERE kind = 'fee';
DROP INDEX movement_payout;
ALTER TABLE movement DROP CONSTRAINT movement_payout_fkey;
UPDATE movement SET payout = NULL, fee_minor = 0 WHERE payout IS NOT NULL;
CREATE TABLE payout_listed AS SELECT p.id AS payout_id, l.line_no, l.reference, CASE l.kind WHEN 'taken' THEN 'dispute' ELSE l.kind END AS kind
FROM payout_line l JOIN payout p ON p.number = l.payout WHERE NOT EXISTS (SELECT FROM payout o WHERE o.id = p.id AND o.number < p.number);
DROP TABLE payout_line;
DELETE FROM payout p USING payout o WHERE o.id = p.id AND o.number < p.number;
DROP INDEX payout_shop;
ALTER TABLE payout DROP COLUMN number, DROP COLUMN gateway, DROP COLUMN content, DROP COLUMN repeated, ADD COLUMN repeated text NOT NULL DEFAULT '',
    ADD PRIMARY KEY (id);
CREATE INDEX payout_repeated ON payout (paid_at) WHERE repeated <> '';
CREATE INDEX payout_shop ON payout (shop_code, test_mode, paid_at, id);
CREATE INDEX payout_desk ON payout (shop_code, test_mode, paid_at DESC, id DESC);
DROP FUNCTION payout_content;
ALTER TABLE payout_listed RENAME TO payout_line;
ALTER TABLE payout_line ALTER COLUMN payout_id SET NOT NULL, ALTER COLUMN line_no SET NOT NULL, ALTER COLUMN reference SET NOT NULL,
    ALTER COLUMN kind SET NOT NULL, ADD PRIMARY KEY (payout_id, line_no), ADD FOREIGN KEY (payout_id) REFERENCES payout (id) ON DELETE CASCADE,
    ADD CHECK (kind IN ('capture', 'refund', 'dispute', 'returned', 'unknown', 'again'));
UPDATE payout_line l SET kind = 'again' FROM payout_line o
WHERE o.reference = l.reference AND o.kind = l.kind AND l.kind NOT IN ('unknown', 'again') AND (o.payout_id, o.line_no) < (l.payout_id, l.line_no);
CREATE UNIQUE INDEX payout_line_once ON payout_line (reference, kind) WHERE kind NOT IN ('unknown', 'again');
CREATE INDEX payout_line_reference ON payout_line (reference);
CREATE INDEX payout_line_doubt ON payout_line (payout_id) WHERE kind IN ('unknown', 'again');
CREATE VIEW payout_in_doubt AS
    SELECT p.id AS payout_id, l.reference, l.kind
    FROM payout_line l JOIN payout p ON p.id = l.payout_id
    WHERE l.kind IN ('unknown', 'again') AND p.accepted_at IS NULL
    UNION ALL
    SELECT p.id, '', 'sum'
    FROM payout p WHERE (p.held_minor <> p.gross_minor OR p.net_minor <> p.gross_minor - p.fees_minor) AND p.accepted_at IS NULL
    UNION ALL
    SELECT p.id, '', 'repeated'
    FROM payout p WHERE p.repeated <> '' AND p.accepted_at IS NULL;
-- +goose StatementBegin
CREATE FUNCTION payout_line_found() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM awaited w USING placed l WHERE w.reference = l.reference AND w.kind = l.kind;
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION payout_line_found() SECURITY DEFINER SET search_path = %I, pg_temp', current_schema());
END $$;
-- +goose StatementEnd
CREATE TRIGGER payout_line_placed AFTER UPDATE ON payout_line REFERENCING NEW TABLE AS placed
    FOR EACH STATEMENT EXECUTE FUNCTION payout_line_found();
CREATE VIEW settled_movement AS
    SELECT a.id::text AS reference, 'capture'::text AS kind, a.transaction_id, a.shop_code, coalesce(a.captured_minor, a.amount_minor) AS amount_minor,
           a.currency, a.test_mode, a.settled_at AS moved_at
    FROM attempt a WHERE a.state = 'approved'
    UNION ALL
    SELECT f.id::text, 'refund'::text, f.transaction_id, f.shop_code, f.amount_minor, f.currency, f.test_mode, f.settled_at
    FROM refund f WHERE f.state = 'done'
    UNION ALL
    SELECT d.attempt_id::text, 'dispute'::text, d.transaction_id, d.shop_code, d.amount_minor, d.currency, d.test_mode, d.ended_at
    FROM dispute d WHERE d.state = 'lost';
CREATE VIEW owed_mark AS
    SELECT coalesce((SELECT r.until_at FROM ledger_read r WHERE r.kind = 'settled'), now() - interval '30 days') AS late_until,
           coalesce((SELECT greatest(r.until_at, r.listed_until) FROM ledger_read r WHERE r.kind = 'settled'), now() - interval '30 days') AS listed_until;
CREATE VIEW owed AS
    SELECT u.reference, u.kind, u.transaction_id, u.shop_code, CASE u.kind WHEN 'capture' THEN u.amount_minor ELSE -u.amount_minor END AS amount_minor,
           u.currency, u.test_mode, u.moved_at, true AS late
    FROM unsettled u
    WHERE u.moved_at < (SELECT o.late_until FROM owed_mark o)
      AND NOT EXISTS (SELECT FROM payout_line l WHERE l.reference = u.reference AND l.kind = u.kind)
    UNION ALL
    SELECT w.reference, w.kind, w.transaction_id, w.shop_code, CASE w.kind WHEN 'capture' THEN w.amount_minor ELSE -w.amount_minor END,
           w.currency, w.test_mode, w.moved_at, false
    FROM awaited w
    WHERE w.moved_at >= (SELECT o.late_until FROM owed_mark o) AND w.moved_at < (SELECT o.listed_until FROM owed_mark o)
    UNION ALL
    SELECT m.reference, m.kind, m.transaction_id, m.shop_code, CASE m.kind WHEN 'capture' THEN m.amount_minor ELSE -m.amount_minor END,
           m.currency, m.test_mode, m.moved_at, false
    FROM settled_movement m
    LEFT JOIN LATERAL (
        SELECT true AS held FROM payout_line l
        WHERE l.reference = m.reference AND l.kind = m.kind AND l.kind NOT IN ('unknown', 'again') LIMIT 1) l ON true
    WHERE l.held IS NULL
      AND m.moved_at >= CASE m.kind WHEN 'dispute' THEN (SELECT o.late_until FROM owed_mark o) ELSE (SELECT o.listed_until FROM owed_mark o) END;
