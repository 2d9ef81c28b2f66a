-- Makes bench.past live payments of panezski over three years, oldest first, for the pages of its desk. A tenth was declined, a hundredth
-- refunded and one in ten thousand disputed. Sixty days are paid out, with a payout each; the last five days are not yet. It makes only the
-- indexes that those pages use, so that ten million payments stay under 10 GB, and truncates first, because with wal_level minimal nothing is then
-- written twice.
SET maintenance_work_mem = '512MB';
SET statement_timeout = 0;
SET lock_timeout = 0;
BEGIN;

CREATE TEMP TABLE rule AS
SELECT c.conrelid::regclass::text AS owner, quote_ident(c.conname) AS name, c.contype, pg_get_constraintdef(c.oid) AS definition
FROM pg_constraint c
WHERE c.contype IN ('f', 'p', 'u') AND ARRAY[c.conrelid, c.confrelid] && ARRAY['transaction', 'attempt']::regclass[]::oid[];

CREATE TEMP TABLE lookup AS
SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
FROM pg_index i
WHERE i.indrelid = ANY (ARRAY['transaction', 'attempt']::regclass[])
  AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u'));

DO $$ DECLARE r record; BEGIN
    FOR r IN SELECT * FROM rule ORDER BY contype = 'f' DESC LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %s', r.owner, r.name);
    END LOOP;
    FOR r IN SELECT * FROM lookup LOOP
        EXECUTE format('DROP INDEX %s', r.name);
    END LOOP;
END $$;
TRUNCATE transaction, attempt, refund, refund_line, dispute, payout, payout_line, unsettled, awaited, order_line, receipt;
ALTER TABLE transaction DISABLE TRIGGER USER;

-- One payment has one of 400 amounts, 10,000 cards, 20,000 payers' names and 60 tables.
CREATE FUNCTION bench_past(first int, last int) RETURNS TABLE (
    n int, id text, attempt uuid, state text, method text, at timestamptz, amount bigint, last_four text, payer text, seat text, ref text, back bigint
) LANGUAGE sql AS $$
    SELECT n, left(md5(n::text), 26), md5('attempt ' || n)::uuid,
           CASE WHEN n > p.past - 20 AND n % 2 = 0 THEN 'unknown' WHEN n % 10 = 0 THEN 'declined' ELSE 'approved' END,
           CASE h % 10 WHEN 0 THEN 'gpay' WHEN 1 THEN 'apple' ELSE 'card' END,
           now() - interval '1095 days' * (1 - n / (p.past + 1.0)),
           350 + 25 * (h / 10 % 400), lpad((h / 4000 % 10000)::text, 4, '0'),
           (ARRAY['Ann', 'Bo', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gus', 'Hana', 'Ivy', 'Joe', 'Kim', 'Leo', 'Mia', 'Ned', 'Ora', 'Pia', 'Quin', 'Rae', 'Sam', 'Tess'])[1 + h / 7 % 20]
               || ' No' || (h / 140 % 1000),
           (1 + h / 11 % 60)::text, CASE WHEN n % 20 = 0 THEN 'INV-' || n ELSE '' END,
           CASE WHEN n % 100 = 1 AND n <= p.past - 20 THEN 100 ELSE 0 END::bigint
    FROM generate_series(first, last) n, LATERAL (SELECT abs(hashint4(n)::bigint) AS h) x,
         (SELECT current_setting('bench.past')::int AS past) p
$$;

DO $$ DECLARE step int := 250000; past int := current_setting('bench.past')::int; first int; BEGIN
    FOR first IN SELECT generate_series(1, past, step) LOOP
        INSERT INTO transaction (id, client_code, status, amount_minor, currency, country_code, test_mode, source, kind, table_name, client_ref,
                                 approved_attempt, transactionid, code, created_at, expires_at, paid_at, refunded_minor)
        SELECT id, 'panezski', CASE state WHEN 'approved' THEN 'completed' WHEN 'declined' THEN 'error' ELSE 'processing' END, amount, 'AUD', 'AU', false, 'diy-pos', 'order',
               seat, ref, CASE WHEN state = 'approved' THEN attempt END, 'g' || n, CASE WHEN state = 'approved' THEN '00' ELSE '05' END,
               at, at + interval '2 hours', CASE WHEN state = 'approved' THEN at END, CASE WHEN state = 'approved' THEN back ELSE 0 END
        FROM bench_past(first, least(first + step - 1, past));
        INSERT INTO attempt (id, transaction_id, client_code, amount_minor, currency, test_mode, method, form_key, state, lease_until,
                             transactionid, code, card_brand, card_last_four, card_expiry, payer_name, created_at, settled_at)
        SELECT attempt, id, 'panezski', amount, 'AUD', false, method, 'k', state, at + interval '1 day',
               'g' || n, CASE WHEN state = 'approved' THEN '00' ELSE '05' END, 'visa', last_four, '12/99', payer, at, CASE WHEN state <> 'unknown' THEN at END
        FROM bench_past(first, least(first + step - 1, past));
    END LOOP;
END $$;

DO $$ DECLARE r record; BEGIN
    FOR r IN SELECT * FROM lookup WHERE name LIKE 'attempt\_desk%' OR name IN ('attempt_capture', 'attempt_manual', 'attempt_sweep', 'attempt_created', 'attempt_settled',
        'transaction_reference', 'transaction_link', 'transaction_processing', 'transaction_unpaid', 'transaction_created') LOOP
        EXECUTE r.definition;
    END LOOP;
    FOR r IN SELECT * FROM rule WHERE name IN ('transaction_pkey', 'attempt_pkey', 'attempt_transaction_id_form_key_key') LOOP
        EXECUTE format('ALTER TABLE %s ADD CONSTRAINT %s %s', r.owner, r.name, r.definition);
    END LOOP;
END $$;
ALTER TABLE transaction ENABLE TRIGGER USER;

INSERT INTO refund (id, transaction_id, client_code, amount_minor, currency, test_mode, requested_by, lease_until, state, settled_at, refundid, created_at)
SELECT md5('refund ' || n)::uuid, id, 'panezski', back, 'AUD', false, 'ann', at, 'done', at + interval '1 hour', 'r' || n, at + interval '1 hour'
FROM bench_past(1, current_setting('bench.past')::int) WHERE n % 100 = 1 AND state = 'approved' AND back > 0;

INSERT INTO dispute (attempt_id, transaction_id, client_code, amount_minor, currency, test_mode, state, due_at, opened_at, ended_at)
SELECT attempt, id, 'panezski', amount, 'AUD', false, CASE WHEN n > p.past - 100000 THEN 'opened' WHEN n % 3 = 0 THEN 'lost' ELSE 'won' END,
       at + interval '20 days', at + interval '5 days', CASE WHEN n <= p.past - 100000 THEN at + interval '15 days' END
FROM (SELECT current_setting('bench.past')::int AS past) p, generate_series(7, p.past, 10000) g, bench_past(g, g);

-- A payout a day for sixty days; what was paid in the last five days is owed.
INSERT INTO payout (id, client_code, currency, test_mode, gross_minor, fees_minor, net_minor, held_minor, paid_at)
SELECT 'p' || d, 'panezski', 'AUD', false, g.gross, g.gross / 100, g.gross - g.gross / 100, g.gross, g.until
FROM generate_series(6, 66) d, LATERAL (
    SELECT coalesce(sum(a.amount_minor), 0)::bigint AS gross, date_trunc('day', now()) - (d - 1) * interval '1 day' AS until FROM attempt a
    WHERE a.client_code = 'panezski' AND NOT a.test_mode AND a.state = 'approved'
      AND a.settled_at >= date_trunc('day', now()) - d * interval '1 day' AND a.settled_at < date_trunc('day', now()) - (d - 1) * interval '1 day') g;
INSERT INTO payout_line (payout_id, line_no, reference, kind)
SELECT 'p' || d, row_number() OVER (PARTITION BY d ORDER BY a.settled_at, a.id), a.id::text, 'capture'
FROM generate_series(6, 66) d JOIN attempt a ON a.client_code = 'panezski' AND NOT a.test_mode AND a.state = 'approved'
      AND a.settled_at >= date_trunc('day', now()) - d * interval '1 day' AND a.settled_at < date_trunc('day', now()) - (d - 1) * interval '1 day';

-- This is as if payouts were imported a day ago. Movements since then are listed every five minutes, a quarter of an hour later.
INSERT INTO ledger_read (kind, until_at, listed_until) VALUES ('payout bench', now(), NULL), ('settled', now() - interval '6 days', now() - interval '20 minutes')
ON CONFLICT (kind) DO UPDATE SET until_at = excluded.until_at, listed_until = excluded.listed_until;
INSERT INTO awaited (reference, kind, transaction_id, client_code, amount_minor, currency, test_mode, moved_at)
SELECT m.reference, m.kind, m.transaction_id, m.client_code, m.amount_minor, m.currency, m.test_mode, m.moved_at FROM settled_movement m
WHERE m.kind <> 'dispute' AND m.moved_at >= date_trunc('day', now()) - interval '5 days' AND m.moved_at < now() - interval '20 minutes';

DROP FUNCTION bench_past;
DROP TABLE lookup, rule;
COMMIT;
