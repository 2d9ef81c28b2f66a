-- Makes bench.past past live transactions of panezski, each with an attempt and three lines, over three years, oldest first. Of each ten, one
-- was declined, and one was paid but never marked done in the kitchen. Paid ones have receipts. As in the restore of a dump, constraints and
-- indexes are dropped first and added again after the rows, all of which have to satisfy them.
SET maintenance_work_mem = '256MB';
SET statement_timeout = 0;

CREATE TEMP TABLE rule AS
SELECT c.conrelid::regclass::text AS owner, quote_ident(c.conname) AS name, c.contype = 'f' AS is_reference,
       pg_get_constraintdef(c.oid) AS definition
FROM pg_constraint c
WHERE c.contype IN ('f', 'p', 'u')
  AND ARRAY[c.conrelid, c.confrelid] && ARRAY['transaction', 'order_line', 'attempt', 'receipt', 'movement']::regclass[]::oid[];

CREATE TEMP TABLE lookup AS
SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
FROM pg_index i
WHERE i.indrelid = ANY (ARRAY['transaction', 'order_line', 'attempt', 'receipt', 'movement']::regclass[])
  AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u'));

DO $$ DECLARE r record; BEGIN
    FOR r IN SELECT * FROM rule ORDER BY is_reference DESC LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %s', r.owner, r.name);
    END LOOP;
    FOR r IN SELECT * FROM lookup LOOP
        EXECUTE format('DROP INDEX %s', r.name);
    END LOOP;
END $$;

-- Payments older than the table of events have no events.
ALTER TABLE transaction DISABLE TRIGGER order_comes;
ALTER TABLE attempt DISABLE TRIGGER attempt_comes;
ALTER TABLE attempt DISABLE TRIGGER attempt_moved;
ALTER TABLE attempt DISABLE TRIGGER attempt_judged;
ALTER TABLE movement DISABLE TRIGGER movement_books;

CREATE TEMP TABLE chosen AS
SELECT row_number() OVER (ORDER BY id) AS n, id, name, price_minor, loc, picture FROM item
WHERE shop_code = 'panezski' AND available AND NOT sold_out ORDER BY id LIMIT 3;

CREATE TEMP TABLE past AS
SELECT left(md5(n::text), 26) AS id, md5('attempt ' || n)::uuid AS attempt, n % 10 > 0 AS approved, n % 10 > 1 AS done,
       now() - interval '1095 days' * (1 - n / (current_setting('bench.past')::float8 + 1)) AS at,
       c.code, c.currency, c.country_code, NOT c.live AS test_mode, (SELECT sum(price_minor) FROM chosen) AS amount
FROM generate_series(1, current_setting('bench.past')::int) n, shop c WHERE c.code = 'panezski';

INSERT INTO transaction (id, shop_code, status, amount_minor, currency, country_code, test_mode, source, table_name,
                         approved_attempt, transactionid, code, created_at, expires_at, paid_at)
SELECT id, code, CASE WHEN done THEN 'completed' WHEN approved THEN 'success' ELSE 'error' END, amount, currency, country_code, test_mode, 'diy-pos', '4',
       CASE WHEN approved THEN attempt END, attempt::text, CASE WHEN approved THEN '00' ELSE '05' END,
       at, at + interval '2 hours', CASE WHEN approved THEN at END
FROM past;

INSERT INTO attempt (id, transaction_id, shop_code, amount_minor, currency, test_mode, method, form_key, state, lease_until,
                     transactionid, code, card_brand, card_last_four, card_expiry, payer_name, created_at, settled_at)
SELECT attempt, id, code, amount, currency, test_mode, 'card', md5(id), CASE WHEN approved THEN 'approved' ELSE 'declined' END, at,
       attempt::text, CASE WHEN approved THEN '00' ELSE '05' END, 'visa', '1111', '12/99', 'Ann Past', at, at
FROM past;

INSERT INTO order_line (transaction_id, line_no, shop_code, item_id, name, price_minor, qty, loc, picture, status, done_at)
SELECT p.id, c.n, p.code, c.id, c.name, c.price_minor, 1, c.loc, c.picture, CASE WHEN p.done THEN 'done' ELSE 'open' END,
       CASE WHEN p.done THEN p.at END
FROM past p, chosen c;

INSERT INTO receipt (transaction_id, shop_code, token, business, merchant_mail, abn, gst_included, time_zone, descriptor)
SELECT p.id, p.code, md5(p.id) || md5(p.attempt::text), c.name, c.mail, c.abn, c.gst_included, c.time_zone, 'LAT*panezski'
FROM past p JOIN shop c ON c.code = p.code WHERE p.approved;

INSERT INTO movement (kind, id, reference, transaction_id, shop_code, test_mode, currency, amount_minor, gst_minor, method, moved_at, booked_at)
SELECT 'capture', p.attempt, p.attempt::text, p.id, p.code, p.test_mode, p.currency, p.amount, CASE WHEN c.gst_included THEN gst_in(p.amount::bigint) ELSE 0 END, 'card', p.at, p.at
FROM past p JOIN shop c ON c.code = p.code WHERE p.approved;

DO $$ DECLARE r record; BEGIN
    FOR r IN SELECT * FROM lookup LOOP
        EXECUTE r.definition;
    END LOOP;
    FOR r IN SELECT * FROM rule ORDER BY is_reference LOOP
        EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %s %s', r.owner, r.name, r.definition);
    END LOOP;
END $$;

ALTER TABLE transaction ENABLE TRIGGER order_comes;
ALTER TABLE attempt ENABLE TRIGGER attempt_comes;
ALTER TABLE attempt ENABLE TRIGGER attempt_moved;
ALTER TABLE attempt ENABLE TRIGGER attempt_judged;
ALTER TABLE movement ENABLE TRIGGER movement_books;

DROP TABLE past, chosen, lookup, rule;
