-- +goose Up
SET LOCAL statement_timeout = 0; -- transactions are read and indexed

-- +goose StatementBegin
CREATE FUNCTION text_uuid(given text) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN given ~ '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' THEN given::uuid END
$$;
-- +goose StatementEnd

-- What the gateways' ledgers list, each entry once. Of an entry, only its deadline and its arrivals change.
CREATE TABLE ledger_entry (
    id             uuid PRIMARY KEY, -- gateway.Entry.ID
    gateway        text NOT NULL,
    kind           text NOT NULL CHECK (kind IN ('capture', 'refund', 'dispute', 'payout', 'open')),
    reference      text NOT NULL,    -- of a payout: its id
    trx_id         text NOT NULL,
    transactionid  text NOT NULL,
    merchant       text NOT NULL,
    test_mode      boolean,          -- null: the ledger does not say
    amount_minor   bigint NOT NULL,  -- of a payout: net
    currency       text NOT NULL,
    state          text NOT NULL,    -- of a dispute
    due_at         timestamptz,
    arrivals       integer NOT NULL,
    at             timestamptz,      -- null: the ledger does not say
    gross_minor    bigint NOT NULL,
    fees_minor     bigint NOT NULL,
    lines          text[] NOT NULL,  -- the references in a payout
    odd            text NOT NULL,    -- what is wrong with the entry itself: it is never booked
    transaction_id text,             -- the transaction that it is about; null: none that we know
    listed_at      timestamptz NOT NULL DEFAULT now(),
    withdrawn_at   timestamptz,      -- a later reading of its time did not list it any more
    problem        text NOT NULL DEFAULT '' -- of one without a transaction: why a person has to look at it
);

CREATE INDEX ledger_entry_transaction ON ledger_entry (transaction_id);
CREATE INDEX ledger_entry_reference ON ledger_entry (reference);
CREATE INDEX ledger_entry_time ON ledger_entry (gateway, kind, at);
CREATE INDEX ledger_entry_stray ON ledger_entry (transactionid) WHERE transaction_id IS NULL;
CREATE INDEX ledger_entry_case ON ledger_entry (listed_at) WHERE problem <> '';

-- Complete readings of a ledger; kind '' is captures and refunds. served is false if the gateway does not list the kind.
DROP TABLE ledger_comparison;
CREATE TABLE ledger_reading (
    gateway  text NOT NULL,
    kind     text NOT NULL,
    from_at  timestamptz NOT NULL,
    until_at timestamptz NOT NULL,
    began_at timestamptz NOT NULL,
    served   boolean NOT NULL,
    PRIMARY KEY (gateway, kind, began_at)
);

-- Differences that a person has accepted: of a transaction, or of an entry without one.
CREATE TABLE difference_accepted (
    subject text NOT NULL,
    entry   text NOT NULL, -- the ledger's; '': it lacks one
    says    text NOT NULL,
    PRIMARY KEY (subject, entry, says)
);

-- What differs between a transaction's ledger entries and our books: a list of {entry, code, says}, written by transaction_judge in the
-- database transaction that changes either side. Such a transaction is a case at /staff/unmatched, and its money moves nowhere.
ALTER TABLE transaction ADD COLUMN differences jsonb NOT NULL DEFAULT '[]', ADD COLUMN differ_since timestamptz;
CREATE INDEX transaction_case ON transaction (differ_since) WHERE differences <> '[]';

-- What the gateway said of an attempt after it was settled, if that contradicts it.
ALTER TABLE attempt ADD COLUMN later text NOT NULL DEFAULT '';
UPDATE attempt SET later = d.theirs FROM discrepancy d WHERE d.attempt_id = attempt.id;

-- The part of refunded_minor that the ledger brought: made in the gateway's console, or after a decline. The schema limits the other part,
-- which we sent.
ALTER TABLE transaction ADD COLUMN refunded_there_minor bigint NOT NULL DEFAULT 0 CHECK (refunded_there_minor >= 0),
    DROP CONSTRAINT transaction_refund_within_capture,
    ADD CONSTRAINT transaction_refund_within_capture
        CHECK (refunded_minor >= refunded_there_minor AND refunded_minor - refunded_there_minor <= coalesce(captured_minor, amount_minor));

-- The state and time of a dispute of which its business has been told.
ALTER TABLE dispute ADD COLUMN told text NOT NULL DEFAULT '', DROP CONSTRAINT dispute_amount_minor_check, ADD CHECK (amount_minor >= 0);
UPDATE dispute SET told = state || ' ' || extract(epoch FROM coalesce(ended_at, opened_at));

-- Until a reading goes back to when they were made, the transactions in question stay so; LedgerJudge leaves them out.
UPDATE transaction SET differ_since = now(), differences = '[{"entry": null, "code": "waits", "says": "the ledger has yet to be read again"}]'
WHERE id IN (SELECT transaction_id FROM money_in_question);

DROP VIEW money_in_question;
DROP TABLE unmatched_movement, discrepancy;

-- The attempt that an entry is about: that of its reference, or what was made of a charge that has this reference at its gateway.
-- +goose StatementBegin
CREATE FUNCTION ledger_entry_attempt(e ledger_entry) RETURNS uuid LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        (SELECT a.id FROM attempt a WHERE a.id = e.id), -- a charge that was booked or given back
        (SELECT a.id FROM ledger_entry c JOIN attempt a ON a.id = c.id
            WHERE c.reference = e.reference AND c.gateway = e.gateway AND c.kind = 'capture' AND e.kind = 'dispute' LIMIT 1),
        (SELECT a.id FROM attempt a WHERE a.id = text_uuid(e.reference)))
$$;
-- +goose StatementEnd

-- The transaction that an entry is about: its reference decides, then the transaction that it names, then the gateway's id of a capture.
-- +goose StatementBegin
CREATE FUNCTION ledger_entry_about(e ledger_entry) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        (SELECT a.transaction_id FROM attempt a WHERE a.id = ledger_entry_attempt(e)),
        (SELECT r.transaction_id FROM refund r WHERE r.id = text_uuid(e.reference)),
        (SELECT t.id FROM transaction t WHERE t.id = e.trx_id),
        (SELECT a.transaction_id FROM attempt a WHERE a.transactionid = e.transactionid AND a.shop_code = e.merchant
            AND a.test_mode = e.test_mode AND coalesce(a.gateway, e.gateway) = e.gateway AND a.state = 'approved' LIMIT 1))
    WHERE e.kind <> 'payout'
$$;
-- +goose StatementEnd

-- What differs about a transaction, but for what a person has accepted. codes say what a person can do about it: payment.MoneyCase.
-- +goose StatementBegin
CREATE FUNCTION differences_of(trx text) RETURNS jsonb LANGUAGE sql STABLE AS $$
WITH listed AS ( -- an entry, and what we have under its reference; our_minor is null if no money moved by our books
    SELECT l.*, to_char(l.amount_minor / 100.0, 'FM999999999990.00') || ' ' || l.currency AS amount,
           coalesce(a.id, r.id) AS ours, coalesce(a.state, r.state) AS our_state, coalesce(a.gateway, r.gateway, l.gateway) AS sent_to,
           coalesce(a.shop_code, r.shop_code) AS shop_code, coalesce(a.test_mode, r.test_mode) AS our_mode,
           coalesce(CASE WHEN a.state = 'approved' THEN coalesce(a.captured_minor, a.amount_minor) ELSE b.amount_minor END,
                    CASE WHEN r.state = 'done' THEN r.amount_minor END) AS our_minor,
           coalesce(b.currency, a.currency, r.currency) AS our_currency,
           row_number() OVER (PARTITION BY l.kind, coalesce(a.id, r.id), l.odd <> '' ORDER BY l.id <> coalesce(a.id, r.id), l.at, l.id) AS nth
    FROM ledger_entry l
    LEFT JOIN LATERAL (
        SELECT * FROM attempt x WHERE l.kind IN ('capture', 'dispute', 'open') AND x.transaction_id = trx AND x.id = ledger_entry_attempt(l)) a ON true
    LEFT JOIN LATERAL ( -- what was given back in another currency
        SELECT * FROM refund x WHERE x.transaction_id = trx AND x.attempt_id = a.id AND x.state = 'done' AND a.state <> 'approved' LIMIT 1) b ON true
    LEFT JOIN LATERAL (
        SELECT * FROM refund x WHERE l.kind = 'refund' AND x.transaction_id = trx AND (x.id = l.id OR x.id::text = l.reference)
        ORDER BY x.id <> l.id LIMIT 1) r ON true
    WHERE l.transaction_id = trx AND l.withdrawn_at IS NULL
), judged AS (
    SELECT e.*, CASE
        WHEN odd <> '' THEN 'odd'
        WHEN kind = 'capture' AND ours IS NULL THEN 'capture'
        WHEN kind = 'capture' AND our_minor IS NULL AND our_state IN ('declined', 'not_charged') THEN 'capture'
        WHEN kind = 'refund' AND (ours IS NULL OR our_state = 'declined') THEN 'refund'
        WHEN kind IN ('capture', 'refund') AND our_minor IS NOT NULL AND nth > 1 THEN 'again'
        END AS code
    FROM listed e
), back AS ( -- a charge that we do not count, and that was given back elsewhere: nothing is left of it
    SELECT transactionid, currency FROM judged WHERE transactionid <> '' AND code IN ('capture', 'refund', 'again') AND kind IN ('capture', 'refund')
    GROUP BY transactionid, currency HAVING sum(CASE kind WHEN 'capture' THEN amount_minor ELSE -amount_minor END) = 0
), paid AS (
    SELECT a.*, coalesce(a.captured_minor, a.amount_minor) AS minor FROM attempt a WHERE a.transaction_id = trx AND a.state = 'approved'
), found AS (
    SELECT id AS entry, at, CASE WHEN code = 'odd' OR (merchant, test_mode) = (SELECT t.shop_code, t.test_mode FROM transaction t WHERE t.id = trx) THEN code
        WHEN kind = 'capture' THEN 'again' ELSE 'other' END AS code, CASE code -- nothing of another shop or mode is booked
        WHEN 'odd' THEN kind || ': ' || odd
        WHEN 'capture' THEN 'charged ' || amount || CASE WHEN ours IS NULL THEN ', which we did not send' ELSE ', and it is ' || our_state || ' here' END
        WHEN 'refund' THEN 'refunded ' || amount || CASE WHEN ours IS NULL THEN ', which we did not send' ELSE ', and it is declined here' END
        ELSE kind || ' of ' || amount || ' once more for one reference' END AS says
    FROM judged e WHERE code IS NOT NULL
      AND NOT (code = 'odd' AND EXISTS (SELECT FROM listed x
        WHERE x.kind = 'dispute' AND e.kind = 'dispute' AND x.reference = e.reference AND x.odd = '' AND x.at > e.at)) -- a later one is readable
      AND (code = 'odd' OR NOT EXISTS (SELECT FROM back b WHERE b.transactionid = e.transactionid AND b.currency = e.currency))
    UNION ALL
    SELECT id, at, CASE WHEN currency = our_currency THEN 'amount' ELSE 'other' END,
           kind || ' of ' || amount || ' there, ' || to_char(our_minor / 100.0, 'FM999999999990.00') || ' ' || our_currency || ' here'
    FROM judged WHERE code IS NULL AND kind IN ('capture', 'refund') AND our_minor IS NOT NULL AND (amount_minor, currency) <> (our_minor, our_currency)
    UNION ALL
    SELECT e.id, e.at, 'other', e.kind || ': ' || x.says
    FROM judged e CROSS JOIN LATERAL (VALUES
        (e.sent_to <> e.gateway, 'it was sent to ' || e.sent_to || ', and ' || e.gateway || ' has it'),
        (e.kind <> 'refund' AND e.trx_id NOT IN ('', trx) AND e.ours <> e.id, 'it is of transaction ' || e.trx_id || ' there'),
        (e.merchant <> e.shop_code, 'it is of ' || e.merchant || ' there'),
        (e.test_mode <> e.our_mode, 'one side has it in test mode, the other live'),
        (e.kind = 'capture' AND e.arrivals > 1, 'the reference arrived ' || e.arrivals || ' times')) AS x (differs, says)
    WHERE e.code IS NULL AND e.ours IS NOT NULL AND x.differs
    UNION ALL
    SELECT d.id, d.at, 'other', CASE WHEN d.our_state IS DISTINCT FROM 'approved' THEN 'a dispute, ' || d.state || ', about a payment that is not paid here'
        ELSE 'disputed ' || d.amount || ' of ' || to_char(d.our_minor / 100.0, 'FM999999999990.00') || ' ' || d.our_currency END
    FROM (SELECT DISTINCT ON (reference) * FROM judged WHERE kind = 'dispute' AND odd = '' ORDER BY reference, at DESC, state = 'opened', id) d
    WHERE d.state <> 'won' AND (d.our_state IS DISTINCT FROM 'approved' OR d.currency <> d.our_currency OR d.amount_minor > d.our_minor)
    UNION ALL
    SELECT id, at, 'other', 'the gateway has not decided a charge of ' || amount || ', which we did not send' FROM judged
    WHERE kind = 'open' AND odd = '' AND ours IS NULL
    UNION ALL
    SELECT NULL, m.settled_at, 'other', 'the gateway does not list the ' || m.kind || ' of ' || to_char(m.minor / 100.0, 'FM999999999990.00') || ' ' || m.currency
    FROM (
        SELECT 'charge' AS kind, a.id, a.minor, a.currency, a.gateway, a.created_at, a.settled_at FROM paid a
        UNION ALL
        SELECT 'refund', r.id, r.amount_minor, r.currency, r.gateway, r.created_at, r.settled_at
        FROM refund r WHERE r.transaction_id = trx AND r.state = 'done'
    ) m
    WHERE NOT EXISTS (SELECT FROM listed l WHERE l.ours = m.id AND l.kind IN ('capture', 'refund'))
      AND EXISTS (SELECT FROM ledger_reading d WHERE d.kind = '' AND d.gateway = coalesce(m.gateway, d.gateway) AND d.from_at < m.created_at - interval '1 hour'
        AND d.until_at > m.settled_at AND d.began_at > m.settled_at + interval '1 day') -- it has had a day to list it
    UNION ALL
    SELECT NULL, a.settled_at, 'other', 'the gateway later said: ' || a.later FROM attempt a
    WHERE a.transaction_id = trx AND a.later NOT IN ('', a.state) AND NOT EXISTS (SELECT FROM listed l WHERE l.ours = a.id AND l.kind = 'capture')
    UNION ALL
    SELECT NULL, t.paid_at, 'other', 'refunded ' || to_char(t.refunded_minor / 100.0, 'FM999999999990.00') || ' of '
        || to_char(coalesce(t.captured_minor, t.amount_minor) / 100.0, 'FM999999999990.00') || ' ' || t.currency
    FROM transaction t WHERE t.id = trx AND t.refunded_minor > coalesce(t.captured_minor, t.amount_minor)
)
SELECT coalesce(jsonb_agg(jsonb_build_object('entry', f.entry, 'code', f.code, 'says', f.says) ORDER BY f.at, f.entry, f.says), '[]')
FROM found f WHERE NOT EXISTS (SELECT FROM difference_accepted x WHERE x.subject = trx AND x.entry = coalesce(f.entry::text, '') AND x.says = f.says)
$$;
-- +goose StatementEnd

-- Writes what differs about a transaction. It waits for those that change one of its sides, or neither of two would see the other's.
-- +goose StatementBegin
CREATE FUNCTION transaction_judge(trx text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    found jsonb;
BEGIN
    PERFORM FROM transaction WHERE id = trx FOR NO KEY UPDATE;
    found := differences_of(trx);
    UPDATE transaction SET differences = found, differ_since = CASE WHEN found <> '[]' THEN coalesce(differ_since, now()) END
    WHERE id = trx AND differences <> found;
END $$;
-- +goose StatementEnd

-- Says why money of a transaction is in question, so that it must neither be charged nor go back: 'disputed' if the payer's bank holds it or
-- has taken all of it, 'differs', or ''. While an attempt is without an outcome, the transaction's status says so.
-- +goose StatementBegin
CREATE FUNCTION held(trx text, differences jsonb) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN EXISTS (SELECT FROM dispute d JOIN attempt a ON a.id = d.attempt_id WHERE d.transaction_id = trx AND (d.state = 'opened'
                    OR d.state = 'lost' AND (d.currency <> a.currency OR d.amount_minor >= coalesce(a.captured_minor, a.amount_minor)))) THEN 'disputed'
                WHEN differences <> '[]' THEN 'differs' ELSE '' END
$$;
-- +goose StatementEnd

-- Derives a dispute, and what the bank took and returned in it, from the entries about it: the latest one counts. entry is the one that is
-- new; null: the payment has just become known as paid, or an entry was withdrawn.
-- +goose StatementBegin
CREATE FUNCTION dispute_derive(about uuid, entry uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    k record;
    latest record;
    stands text := '';
    holds bigint := 0; -- what the bank had taken before an entry
    held_now bigint;
    booked boolean := EXISTS (SELECT FROM movement m WHERE m.reference = about::text AND m.kind IN ('taken', 'returned')
        AND m.transaction_id = (SELECT a.transaction_id FROM attempt a WHERE a.id = about));
BEGIN
    FOR k IN
        SELECT a.id AS attempt, a.transaction_id, a.shop_code, a.test_mode, e.id, e.amount_minor, e.currency, e.state, e.due_at, e.at,
               max(e.at) FILTER (WHERE e.state = 'opened') OVER w AS opened_at, max(e.due_at) OVER w AS due
        FROM attempt a JOIN ledger_entry e ON e.transaction_id = a.transaction_id AND ledger_entry_attempt(e) = a.id AND e.kind = 'dispute'
        WHERE a.id = about AND a.state = 'approved' AND e.withdrawn_at IS NULL AND e.odd = '' AND e.merchant = a.shop_code AND e.test_mode = a.test_mode
        WINDOW w AS (ORDER BY e.at, e.state <> 'opened', e.id)
        ORDER BY e.at, e.state <> 'opened', e.id
    LOOP
        CONTINUE WHEN k.state = 'opened' AND stands = 'lost'; -- it stays lost
        latest := k;
        stands := k.state;
        held_now := CASE k.state WHEN 'lost' THEN k.amount_minor ELSE 0 END;
        IF held_now <> holds AND (k.id = entry OR entry IS NULL AND NOT booked) THEN
            PERFORM bank_holds(k.id, about, held_now, k.currency, k.at);
        END IF;
        holds := held_now;
    END LOOP;
    IF stands = '' THEN -- nothing is listed about it, or not any more
        IF EXISTS (SELECT FROM ledger_entry e WHERE e.transaction_id = (SELECT a.transaction_id FROM attempt a WHERE a.id = about)
            AND e.kind = 'dispute' AND e.withdrawn_at IS NOT NULL AND ledger_entry_attempt(e) = about) THEN
            DELETE FROM dispute WHERE attempt_id = about;
            PERFORM bank_holds(gen_random_uuid(), about, 0, 'AUD', now());
        END IF;
        RETURN;
    END IF;
    -- Unless the new entry is the latest one, this books what is between them.
    PERFORM bank_holds(gen_random_uuid(), about, holds, latest.currency, latest.at);
    INSERT INTO dispute (attempt_id, transaction_id, shop_code, amount_minor, currency, test_mode, state, due_at, opened_at, ended_at)
    VALUES (about, latest.transaction_id, latest.shop_code, latest.amount_minor, latest.currency, latest.test_mode, latest.state, latest.due,
        coalesce(latest.opened_at, latest.at), CASE WHEN latest.state <> 'opened' THEN latest.at END)
    ON CONFLICT (attempt_id) DO UPDATE
    SET amount_minor = excluded.amount_minor, currency = excluded.currency, state = excluded.state, due_at = excluded.due_at,
        opened_at = excluded.opened_at, ended_at = excluded.ended_at;
END $$;
-- +goose StatementEnd

DROP TRIGGER dispute_holds ON dispute;
DROP TRIGGER dispute_held ON dispute;
DROP FUNCTION dispute_holds;

-- A correction of an amount is a movement of its own.
-- +goose StatementBegin
CREATE FUNCTION movement_correct() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    moved text := TG_ARGV[0];
    total bigint := CASE moved WHEN 'capture' THEN (SELECT coalesce(a.captured_minor, a.amount_minor) FROM attempt a WHERE a.id = NEW.id)
        ELSE -(SELECT sum(r.amount_minor) FROM refund r WHERE r.transaction_id = NEW.transaction_id AND r.state = 'done' AND r.currency = NEW.currency) END;
BEGIN
    WITH corrected AS (
    INSERT INTO movement (kind, id, reference, transaction_id, shop_code, test_mode, currency, amount_minor, gst_minor, method, moved_at, payout)
    SELECT moved, gen_random_uuid(), NEW.id, NEW.transaction_id, NEW.shop_code, NEW.test_mode, NEW.currency, total - sum(m.amount_minor),
           CASE WHEN bool_or(m.gst_minor <> 0) THEN sign(total) * gst_in(abs(total)) - sum(m.gst_minor) ELSE 0 END, max(m.method), now(),
           (SELECT o.payout FROM movement o WHERE o.kind = moved AND o.id = NEW.id) -- which has it already, as the gateway has it
    FROM movement m WHERE m.transaction_id = NEW.transaction_id AND m.kind = moved AND m.currency = NEW.currency
    HAVING total <> sum(m.amount_minor)
    RETURNING movement.payout, movement.amount_minor
    )
    UPDATE payout SET held_minor = payout.held_minor + c.amount_minor FROM corrected c WHERE payout.number = c.payout;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION ledger_entry_judge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM transaction WHERE id = NEW.transaction_id FOR NO KEY UPDATE; -- or one that settles meanwhile would not see this entry
    IF NEW.kind = 'dispute' AND NEW.transaction_id IS NOT NULL THEN
        PERFORM dispute_derive(ledger_entry_attempt(NEW), CASE WHEN NEW.withdrawn_at IS NULL THEN NEW.id END);
    END IF;
    IF NEW.transaction_id IS NOT NULL THEN
        PERFORM transaction_judge(NEW.transaction_id);
    END IF;
    IF TG_OP = 'UPDATE' AND OLD.transaction_id <> NEW.transaction_id THEN
        PERFORM transaction_judge(OLD.transaction_id);
    END IF;
    IF NEW.transaction_id IS NULL OR NEW.problem <> '' THEN
        UPDATE ledger_entry e SET problem = CASE
            WHEN e.transaction_id IS NOT NULL OR e.withdrawn_at IS NOT NULL THEN ''
            WHEN EXISTS (SELECT FROM difference_accepted x WHERE x.subject = e.id::text) THEN ''
            WHEN e.odd <> '' THEN e.odd
            WHEN e.kind = 'payout' OR e.state = 'won' THEN ''
            WHEN e.kind = 'open' THEN 'the gateway has not decided it, and we know nothing of it'
            WHEN e.kind <> 'dispute' AND e.transactionid <> '' AND 0 = (
                SELECT sum(CASE k.kind WHEN 'capture' THEN k.amount_minor ELSE -k.amount_minor END) FROM ledger_entry k
                WHERE k.transactionid = e.transactionid AND k.transaction_id IS NULL AND k.gateway = e.gateway AND k.currency = e.currency
                  AND k.kind IN ('capture', 'refund') AND k.withdrawn_at IS NULL AND k.odd = '') THEN '' -- it was given back
            WHEN e.trx_id <> '' THEN 'there is no transaction ' || e.trx_id || ' here'
            ELSE 'we know nothing of it' END
        WHERE e.id = NEW.id OR NEW.transactionid <> '' AND e.transactionid = NEW.transactionid AND e.transaction_id IS NULL;
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION books_judge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM ledger_entry e WHERE e.transaction_id = NEW.transaction_id)
       OR EXISTS (SELECT FROM transaction t WHERE t.id = NEW.transaction_id AND t.differences <> '[]')
       OR TG_ARGV[0] = 'attempt' AND to_jsonb(NEW) ->> 'later' <> '' THEN
        IF TG_ARGV[0] = 'attempt' AND EXISTS (SELECT FROM ledger_entry e WHERE e.transaction_id = NEW.transaction_id AND e.kind = 'dispute') THEN
            PERFORM dispute_derive(NEW.id, NULL);
        END IF;
        PERFORM transaction_judge(NEW.transaction_id);
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- Stores a page of a ledger, and returns the entries that are new or have changed.
-- +goose StatementBegin
CREATE FUNCTION ledger_store(entries jsonb) RETURNS SETOF uuid LANGUAGE sql AS $$
    INSERT INTO ledger_entry AS k (id, gateway, kind, reference, trx_id, transactionid, merchant, test_mode, amount_minor, currency, state, due_at,
        arrivals, at, gross_minor, fees_minor, lines, odd, transaction_id)
    SELECT DISTINCT ON (e.id) e.id, e.gateway, e.kind, e.reference, e.trx_id, e.transactionid, e.merchant, e.test_mode, e.amount_minor, e.currency,
        e.state, e.due_at, e.arrivals, e.at, e.gross_minor, e.fees_minor, e.lines, e.odd, ledger_entry_about(e)
    FROM jsonb_populate_recordset(NULL::ledger_entry, entries) e
    WHERE NOT EXISTS (SELECT FROM ledger_entry s WHERE s.id = e.id AND s.withdrawn_at IS NULL
        AND (s.transaction_id IS NOT NULL OR e.kind = 'payout' OR ledger_entry_about(e) IS NULL)
        AND s.arrivals = e.arrivals AND s.due_at IS NOT DISTINCT FROM e.due_at)
    ORDER BY e.id
    ON CONFLICT (id) DO UPDATE
    SET due_at = excluded.due_at, arrivals = excluded.arrivals, withdrawn_at = NULL, transaction_id = coalesce(k.transaction_id, excluded.transaction_id)
    RETURNING k.id
$$;
-- +goose StatementEnd

CREATE TRIGGER ledger_entry_judged AFTER INSERT OR UPDATE OF due_at, arrivals, withdrawn_at, transaction_id ON ledger_entry
    FOR EACH ROW EXECUTE FUNCTION ledger_entry_judge();
CREATE TRIGGER attempt_judged AFTER INSERT OR UPDATE OF state, later, captured_minor ON attempt
    FOR EACH ROW WHEN (NEW.state IN ('approved', 'declined', 'not_charged')) EXECUTE FUNCTION books_judge('attempt');
CREATE TRIGGER refund_judged AFTER INSERT OR UPDATE OF state, amount_minor ON refund
    FOR EACH ROW WHEN (NEW.state IN ('done', 'declined')) EXECUTE FUNCTION books_judge('refund');

CREATE TRIGGER attempt_corrected AFTER UPDATE OF captured_minor ON attempt
    FOR EACH ROW WHEN (NEW.state = 'approved' AND OLD.state = 'approved') EXECUTE FUNCTION movement_correct('capture');
CREATE TRIGGER refund_corrected AFTER UPDATE OF amount_minor ON refund
    FOR EACH ROW WHEN (NEW.state = 'done' AND OLD.state = 'done') EXECUTE FUNCTION movement_correct('refund');

-- As in 00161: requests may run as a role that has no rights to a new table yet.
-- +goose StatementBegin
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['ledger_entry_judge()', 'books_judge()', 'transaction_judge(text)', 'dispute_derive(uuid, uuid)',
        'movement_correct()', 'ledger_store(jsonb)'] LOOP
        EXECUTE format('ALTER FUNCTION %s SECURITY DEFINER SET search_path = %I, pg_temp', name, current_schema());
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
CREATE TABLE unmatched_movement (
    kind          text NOT NULL,
    reference     text NOT NULL,
    trx_id        text NOT NULL,
    transactionid text NOT NULL,
    amount_minor  bigint NOT NULL,
    currency      text NOT NULL,
    moved_at      timestamptz NOT NULL,
    problem       text NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    closed_at     timestamptz,
    PRIMARY KEY (kind, reference)
);
CREATE INDEX unmatched_movement_open ON unmatched_movement (created_at) WHERE closed_at IS NULL;
CREATE TABLE discrepancy (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    attempt_id uuid NOT NULL REFERENCES attempt (id),
    ours       text NOT NULL,
    theirs     text NOT NULL,
    detail     text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (attempt_id, ours, theirs)
);
INSERT INTO unmatched_movement (kind, reference, trx_id, transactionid, amount_minor, currency, moved_at, problem)
SELECT e.kind, e.reference, coalesce(e.transaction_id, e.trx_id), e.transactionid, e.amount_minor, e.currency, coalesce(e.at, e.listed_at),
       coalesce(nullif(e.problem, ''), t.differences -> 0 ->> 'says')
FROM ledger_entry e LEFT JOIN transaction t ON t.id = e.transaction_id
WHERE e.kind IN ('capture', 'refund', 'dispute') AND (e.problem <> '' OR t.differences @> jsonb_build_array(jsonb_build_object('entry', e.id)))
ON CONFLICT DO NOTHING;
INSERT INTO discrepancy (attempt_id, ours, theirs) SELECT id, state, later FROM attempt WHERE later <> '';
CREATE VIEW money_in_question AS
WITH u AS NOT MATERIALIZED (
    SELECT reference, trx_id, transactionid FROM unmatched_movement WHERE closed_at IS NULL AND kind IN ('capture', 'refund')
)
SELECT u.reference, u.trx_id AS transaction_id FROM u
UNION ALL
SELECT u.reference, a.transaction_id FROM u JOIN attempt a
    ON u.reference = a.id::text OR u.trx_id = '' AND u.transactionid = a.transactionid
UNION ALL
SELECT u.reference, r.transaction_id FROM u JOIN refund r ON u.reference = r.id::text;
CREATE TABLE ledger_comparison (only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), differences integer, ran_at timestamptz NOT NULL DEFAULT now());
INSERT INTO ledger_comparison DEFAULT VALUES;
DROP TRIGGER attempt_corrected ON attempt;
DROP TRIGGER refund_corrected ON refund;
-- +goose StatementBegin
CREATE FUNCTION dispute_holds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM bank_holds(md5(NEW.attempt_id::text || NEW.state || coalesce(NEW.ended_at, NEW.opened_at)::text)::uuid, NEW.attempt_id,
        CASE NEW.state WHEN 'lost' THEN NEW.amount_minor ELSE 0 END, NEW.currency, coalesce(NEW.ended_at, NEW.opened_at));
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER dispute_held AFTER INSERT ON dispute FOR EACH ROW EXECUTE FUNCTION dispute_holds();
CREATE TRIGGER dispute_holds AFTER UPDATE OF state, amount_minor, currency ON dispute FOR EACH ROW EXECUTE FUNCTION dispute_holds();
DROP TRIGGER attempt_judged ON attempt;
DROP TRIGGER refund_judged ON refund;
DROP FUNCTION movement_correct, held, dispute_derive, transaction_judge, differences_of, books_judge, ledger_store;
DROP FUNCTION ledger_entry_about;
DROP FUNCTION ledger_entry_attempt;
DROP TABLE ledger_entry, ledger_reading, difference_accepted;
DROP FUNCTION ledger_entry_judge, text_uuid;
DELETE FROM dispute WHERE amount_minor = 0;
ALTER TABLE dispute DROP COLUMN told, DROP CONSTRAINT dispute_amount_minor_check, ADD CHECK (amount_minor > 0);
ALTER TABLE attempt DROP COLUMN later;
ALTER TABLE transaction DROP CONSTRAINT transaction_refund_within_capture, DROP COLUMN refunded_there_minor, DROP COLUMN differences, DROP COLUMN differ_since;
UPDATE transaction SET refunded_minor = coalesce(captured_minor, amount_minor) WHERE refunded_minor > coalesce(captured_minor, amount_minor);
ALTER TABLE transaction ADD CONSTRAINT transaction_refund_within_capture
    CHECK (refunded_minor >= 0 AND refunded_minor <= coalesce(captured_minor, amount_minor));
