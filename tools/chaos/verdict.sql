-- The table books has the gateway's ledger, what payers were told of their transaction, and what those who gave payments back were told of
-- it, as JSON.
CREATE TEMP TABLE entry AS
    SELECT kind, reference, "trxId" AS trx, transactionid, "merchantId" AS merchant, currency, "testMode" AS test, (100 * amount)::bigint AS minor,
           arrivals, state, (100 * gross)::bigint AS gross, (100 * fees)::bigint AS fees, (100 * net)::bigint AS net, b.gateway
    FROM books b, jsonb_to_recordset(ledger) AS e(kind text, reference text, "trxId" text, transactionid text, "merchantId" text, currency text,
         "testMode" boolean, amount numeric, arrivals int, state text, gross numeric, fees numeric, net numeric);
CREATE INDEX ON entry (trx);
CREATE INDEX ON entry (reference);
CREATE TEMP VIEW payer AS SELECT key AS trx, value AS told FROM books, jsonb_each_text(told);
CREATE TEMP VIEW asked_back AS
    SELECT key AS trx, (value->>'Cents')::bigint AS cents, (value->>'All')::boolean AS all_of_it, (value->>'Nothing')::boolean AS told_nothing
    FROM books, jsonb_each(heard);
CREATE TEMP VIEW approved AS SELECT *, coalesce(captured_minor, amount_minor) AS minor FROM attempt WHERE state = 'approved';
-- Refunds of the gateway's console have ids of our own.
CREATE TEMP VIEW ours AS
    SELECT e.*, coalesce((SELECT r.id::text FROM ledger_entry l JOIN refund r ON r.id = l.id
        WHERE l.kind = 'refund' AND l.reference = e.reference AND r.transaction_id = e.trx), e.reference) AS id FROM entry e WHERE e.kind = 'refund';
-- What the bank took in a dispute, and returned if that was won later.
CREATE TEMP VIEW bank AS
    SELECT e.*, CASE e.state WHEN 'lost' THEN -minor ELSE minor END AS moves FROM entry e
    WHERE e.kind = 'dispute' AND (e.state = 'lost' OR e.state = 'won'
        AND EXISTS (SELECT FROM entry l WHERE l.kind = 'dispute' AND l.reference = e.reference AND l.state = 'lost'));
-- What moved, by both sides, for each business, currency and mode.
CREATE TEMP VIEW moved AS
    SELECT 'database' AS side, CASE WHEN kind IN ('taken', 'returned') THEN 'lost dispute' ELSE kind END AS what, shop_code AS merchant,
           currency::text, test_mode AS test, amount_minor AS minor
    FROM movement WHERE kind <> 'fee'
    UNION ALL SELECT 'database', 'payout', shop_code, currency, test_mode, gross_minor FROM payout
    UNION ALL SELECT 'database', 'fees', shop_code, currency, test_mode, fees_minor FROM payout
    UNION ALL SELECT 'database', 'net', shop_code, currency, test_mode, net_minor FROM payout
    UNION ALL SELECT 'ledger', 'capture', merchant, currency, test, minor FROM entry WHERE kind = 'capture'
    UNION ALL SELECT 'ledger', 'refund', merchant, currency, test, -minor FROM entry WHERE kind = 'refund'
    UNION ALL SELECT 'ledger', 'lost dispute', merchant, currency, test, moves FROM bank
    UNION ALL SELECT 'ledger', 'payout', merchant, currency, test, gross FROM entry WHERE kind = 'payout'
    UNION ALL SELECT 'ledger', 'fees', merchant, currency, test, fees FROM entry WHERE kind = 'payout'
    UNION ALL SELECT 'ledger', 'net', merchant, currency, test, net FROM entry WHERE kind = 'payout'
    UNION ALL SELECT 'fee of 1.5 %', 'fees', merchant, currency, test, round(minor * 0.015) FROM entry WHERE kind = 'capture';

-- promises

-- slowest: the slowest of each, as text
SELECT 'slowest resolution ' || coalesce((SELECT max(extract(epoch FROM settled_at - created_at)) FROM attempt), 0)::numeric(9, 1)
    || ' s, ' || (SELECT count(*) FROM attempt WHERE checks > 0) || ' resolved by the sweep, slowest refund '
    || coalesce((SELECT max(extract(epoch FROM settled_at - created_at)) FROM refund), 0)::numeric(9, 1) || ' s'

-- double: payments that were charged twice
SELECT count(*) FROM (SELECT FROM entry WHERE kind = 'capture' GROUP BY trx HAVING count(*) > 1) AS twice

-- repeated: references that reached the gateway more than once
SELECT count(*) FROM entry WHERE kind = 'capture' AND arrivals <> 1

-- lost: charges in the gateway's ledger and not in the database
SELECT count(*) FROM entry e WHERE e.kind = 'capture' AND NOT EXISTS (SELECT FROM approved a WHERE a.id::text = e.reference)

-- ghost: payments that are paid in the database and not in the ledger
SELECT count(*) FROM approved a WHERE NOT EXISTS (SELECT FROM entry e WHERE e.kind = 'capture' AND a.id::text = e.reference)

-- differ: charges with another id, amount, business or transaction on either side
SELECT count(*) FROM entry e JOIN approved a ON a.id::text = e.reference JOIN transaction t ON t.id = a.transaction_id
WHERE e.kind = 'capture' AND (
    (a.transaction_id, a.transactionid, a.minor, a.currency::text, a.shop_code, a.test_mode, a.gateway)
    IS DISTINCT FROM (e.trx, e.transactionid, e.minor, e.currency, e.merchant, e.test, e.gateway)
    OR (t.approved_attempt, t.transactionid, coalesce(t.captured_minor, t.amount_minor)) IS DISTINCT FROM (a.id, e.transactionid, e.minor))

-- paid: payments whose state says something else than their attempts
SELECT count(*) FROM transaction t WHERE (approved_attempt IS NULL) = EXISTS (SELECT FROM approved a WHERE a.transaction_id = t.id)

-- sums: what moved, by business, currency and mode, whose sums differ
SELECT count(*) FROM (SELECT FROM moved GROUP BY what, merchant, currency, test
    HAVING coalesce(sum(minor) FILTER (WHERE side = 'database'), 0) <> coalesce(sum(minor) FILTER (WHERE side = 'ledger'), 0)) AS apart

-- payouts: books, by business, currency and mode, whose payouts, fees and net are not what moved
SELECT count(*) FROM (SELECT FROM moved GROUP BY merchant, currency, test
    HAVING coalesce(sum(minor) FILTER (WHERE side = 'database' AND what IN ('capture', 'refund', 'lost dispute')), 0)
           <> coalesce(sum(minor) FILTER (WHERE side = 'database' AND what = 'payout'), 0)
        OR coalesce(sum(minor) FILTER (WHERE side = 'database' AND what = 'fees'), 0)
           <> coalesce(sum(minor) FILTER (WHERE side = 'fee of 1.5 %'), 0)) AS apart

-- disputes: disputes that were not heard of to their end
SELECT abs((SELECT count(*) FROM dispute) - (SELECT count(*) FROM entry WHERE kind = 'dispute' AND state = 'opened'))
    + (SELECT count(*) FROM dispute WHERE state = 'opened')

-- stuck: payments without an outcome, or that had none for more than a minute
SELECT (SELECT count(*) FROM attempt WHERE state IN ('submitting', 'redirected', 'unknown', 'manual') OR settled_at - created_at > interval '60 s')
    + (SELECT count(*) FROM transaction WHERE status = 'processing')

-- told: payers who were told something else than the books say
SELECT count(*) FROM payer p LEFT JOIN approved a ON a.transaction_id = p.trx
WHERE p.told = 'nothing' OR p.told = 'paid' AND a.id IS NULL
    OR p.told LIKE 'not paid%' AND (a.id IS NOT NULL OR EXISTS (SELECT FROM entry e WHERE e.kind = 'capture' AND e.trx = p.trx))

-- orders: orders that were acknowledged and then forgotten
SELECT count(*) FROM payer p WHERE NOT EXISTS (SELECT FROM transaction t WHERE t.id = p.trx)

-- receipts: live payments without a receipt, or without a letter to the business or the payer
SELECT count(*) FROM approved a LEFT JOIN receipt r ON r.transaction_id = a.transaction_id
WHERE NOT a.test_mode AND (r.transaction_id IS NULL OR EXISTS (
    SELECT FROM (VALUES ('merchant', r.merchant_mail), ('customer', a.payer_email)) AS letter(role, address)
    WHERE letter.address <> ''
      AND NOT EXISTS (SELECT FROM mail WHERE mail.key = 'receipt/' || a.transaction_id || '/' || letter.role)
      AND NOT EXISTS (SELECT FROM river_job WHERE kind = 'mail' AND args->>'key' = 'receipt/' || a.transaction_id || '/' || letter.role)))

-- cases: differences that no person has ended
SELECT (SELECT count(*) FROM transaction WHERE differences <> '[]') + (SELECT count(*) FROM ledger_entry WHERE problem <> '')

-- mirror: entries that only one of the ledger and its mirror has
SELECT abs((SELECT count(*) FROM entry) - (SELECT count(*) FROM ledger_entry WHERE withdrawn_at IS NULL AND kind <> 'open'))
    + (SELECT count(*) FROM entry e WHERE e.kind <> 'payout' AND NOT EXISTS (SELECT FROM ledger_entry l
       WHERE (l.kind, l.reference, l.state, l.amount_minor) = (e.kind, e.reference, coalesce(e.state, ''), e.minor)))

-- positions: payments whose position is not what the ledger lists of them
SELECT count(*) FROM position p LEFT JOIN (
    SELECT trx, sum(CASE kind WHEN 'capture' THEN minor ELSE 0 END) AS captured, sum(CASE kind WHEN 'refund' THEN minor ELSE 0 END) AS refunded
    FROM entry WHERE kind IN ('capture', 'refund') GROUP BY trx
) e ON e.trx = p.transaction_id LEFT JOIN (SELECT trx, -sum(moves) AS lost FROM bank GROUP BY trx) b ON b.trx = p.transaction_id
WHERE (captured_minor, refunded_minor, lost_minor) <> (coalesce(captured, 0), coalesce(refunded, 0), coalesce(lost, 0))

-- owed: movements that are in no payout
SELECT count(*) FROM movement WHERE payout IS NULL AND amount_minor <> 0

-- closings: books, by business, currency and mode, whose closings are not what moved
SELECT count(*) FROM (
    SELECT FROM (
        SELECT shop_code, test_mode, currency::text, amount_minor AS minor FROM movement m WHERE kind <> 'fee' AND booked_at < (
            SELECT max(c.until_at) FROM closing c WHERE c.shop_code = m.shop_code AND c.test_mode = m.test_mode)
        UNION ALL
        SELECT c.shop_code, c.test_mode, t.currency, t."givenBack" + coalesce(t."bankTook", 0) - t.taken - coalesce(t."bankGave", 0)
        FROM closing c, jsonb_to_recordset(CASE jsonb_typeof(c.totals) WHEN 'array' THEN c.totals ELSE '[]' END) AS t(currency text, taken bigint, "givenBack" bigint, "bankTook" bigint, "bankGave" bigint)
    ) AS x GROUP BY shop_code, test_mode, currency HAVING sum(minor) <> 0) AS apart

-- lost refunds: refunds in the gateway's ledger and not in the database, or there twice
SELECT count(*) FROM ours e WHERE (NOT EXISTS (SELECT FROM refund r WHERE r.state = 'done' AND r.id::text = e.id)
    OR 1 < (SELECT count(*) FROM entry again WHERE again.kind = 'refund' AND again.reference = e.reference))

-- ghost refunds: refunds that are done in the database and not in the ledger
SELECT count(*) FROM refund r WHERE r.state = 'done' AND NOT EXISTS (SELECT FROM ours e WHERE r.id::text = e.id)

-- refunds differ: refunds with another payment, amount or business on either side
SELECT count(*) FROM ours e JOIN refund r ON r.id::text = e.id JOIN transaction t ON t.id = r.transaction_id
WHERE (r.transaction_id, t.transactionid, r.amount_minor, r.currency::text, r.shop_code, r.test_mode, r.gateway)
    IS DISTINCT FROM (e.trx, e.transactionid, e.minor, e.currency, e.merchant, e.test, e.gateway)

-- refunds over: payments whose refunds are not what they say, or more than was captured
SELECT count(*) FROM transaction t
WHERE refunded_minor <> (SELECT coalesce(sum(amount_minor), 0) FROM refund r WHERE r.transaction_id = t.id AND state <> 'declined')
    OR (SELECT coalesce(sum(minor), 0) FROM entry e WHERE e.kind = 'refund' AND e.trx = t.id)
       > (SELECT coalesce(sum(minor), 0) FROM entry e WHERE e.kind = 'capture' AND e.trx = t.id)

-- refunds open: refunds without an outcome, or that had none for more than a minute
SELECT count(*) FROM refund WHERE state NOT IN ('done', 'declined') OR settled_at - created_at > interval '60 s'

-- refunds told: payments of which something else was given back than the command told
SELECT count(*) FROM asked_back b JOIN approved a ON a.transaction_id = b.trx
WHERE b.told_nothing OR CASE WHEN b.all_of_it THEN a.minor ELSE b.cents END
    <> (SELECT coalesce(sum(amount_minor), 0) FROM refund r WHERE r.transaction_id = b.trx AND state = 'done')
