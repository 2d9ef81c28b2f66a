-- +goose Up

-- The part of an amount of a payment that includes GST: the share that it has in the whole order.
-- +goose StatementBegin
CREATE FUNCTION taxed_of(trx text, minor bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT round(minor::numeric * coalesce(t.taxed_minor, t.amount_minor) / t.amount_minor)::bigint
    FROM transaction t WHERE t.id = trx
$$;
-- +goose StatementEnd

-- The same part of all that was refunded of a payment: of lines, what they have of it; of amounts, the share that it has in the rest.
-- +goose StatementBegin
CREATE FUNCTION taxed_back(trx text, back bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN w.plain THEN back
        WHEN back >= w.captured THEN taxed_of(trx, back)
        ELSE least(taxed_of(trx, w.captured),
            round(l.taxed + greatest(back - l.minor, 0) * (taxed_of(trx, w.captured) - l.taxed) / (w.captured - l.minor))::bigint) END
    FROM (SELECT coalesce(t.captured_minor, t.amount_minor) AS captured, coalesce(t.taxed_minor, t.amount_minor) = t.amount_minor AS plain
          FROM transaction t WHERE t.id = trx) w,
         (SELECT coalesce(sum(o.price_minor * x.qty), 0) AS minor,
                 coalesce(sum(coalesce(o.taxed_minor, o.price_minor * o.qty)::numeric * x.qty / o.qty), 0) AS taxed
          FROM refund_line x JOIN refund r ON r.id = x.refund_id JOIN order_line o ON o.transaction_id = x.transaction_id AND o.line_no = x.line_no
          WHERE x.transaction_id = trx AND r.state = 'done') l
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION attempt_moves() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE taken bigint := coalesce(NEW.captured_minor, NEW.amount_minor);
BEGIN
    INSERT INTO movement (kind, id, reference, transaction_id, shop_code, test_mode, currency, amount_minor, gst_minor, method, moved_at)
    SELECT 'capture', NEW.id, NEW.id, NEW.transaction_id, NEW.shop_code, NEW.test_mode, NEW.currency, taken,
           CASE WHEN NEW.currency = 'AUD' AND s.abn <> '' AND s.gst_included THEN gst_in(taxed_of(NEW.transaction_id, taken)) ELSE 0 END, NEW.method, NEW.settled_at
    FROM shop s WHERE s.code = NEW.shop_code
    ON CONFLICT (kind, id) DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION refund_moves() RETURNS trigger LANGUAGE plpgsql AS $$
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
            CASE WHEN taxed THEN -gst_in(taxed_back(NEW.transaction_id, back)) - booked ELSE 0 END, coalesce(a.method, 'card'), NEW.settled_at)
    ON CONFLICT (kind, id) DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION movement_correct() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    moved text := TG_ARGV[0];
    total bigint := CASE moved WHEN 'capture' THEN (SELECT coalesce(a.captured_minor, a.amount_minor) FROM attempt a WHERE a.id = NEW.id)
        ELSE -(SELECT sum(r.amount_minor) FROM refund r WHERE r.transaction_id = NEW.transaction_id AND r.state = 'done' AND r.currency = NEW.currency) END;
BEGIN
    WITH corrected AS (
    INSERT INTO movement (kind, id, reference, transaction_id, shop_code, test_mode, currency, amount_minor, gst_minor, method, moved_at, payout)
    SELECT moved, gen_random_uuid(), NEW.id, NEW.transaction_id, NEW.shop_code, NEW.test_mode, NEW.currency, total - sum(m.amount_minor),
           CASE WHEN bool_or(m.gst_minor <> 0) THEN CASE moved WHEN 'capture' THEN gst_in(taxed_of(NEW.transaction_id, total))
           ELSE -gst_in(taxed_back(NEW.transaction_id, -total)) END - sum(m.gst_minor) ELSE 0 END, max(m.method), now(),
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
DO $$
DECLARE name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['attempt_moves', 'refund_moves', 'movement_correct'] LOOP
        EXECUTE format('ALTER FUNCTION %I() SECURITY DEFINER SET search_path = %I, pg_temp', name, current_schema());
    END LOOP;
END $$;
-- +goose StatementEnd

-- An order whose items are all refunded is completed, though a tip is left.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION refund_unmakes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM order_refund(NEW.transaction_id);
    UPDATE transaction SET status = 'completed' WHERE transaction.id = NEW.transaction_id AND transaction.status = 'success'
        AND EXISTS (SELECT FROM order_line l WHERE l.transaction_id = NEW.transaction_id AND l.status IN ('done', 'extra'))
        AND NOT EXISTS (SELECT FROM order_line l WHERE l.transaction_id = NEW.transaction_id AND l.status = 'open');
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION refund_unmakes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM order_refund(NEW.transaction_id);
    UPDATE transaction SET status = 'completed' WHERE transaction.id = NEW.transaction_id AND transaction.status = 'success'
        AND EXISTS (SELECT FROM order_line l WHERE l.transaction_id = NEW.transaction_id AND l.status = 'done')
        AND NOT EXISTS (SELECT FROM order_line l WHERE l.transaction_id = NEW.transaction_id AND l.status = 'open');
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION attempt_moves() RETURNS trigger LANGUAGE plpgsql AS $$
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
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION refund_moves() RETURNS trigger LANGUAGE plpgsql AS $$
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
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION movement_correct() RETURNS trigger LANGUAGE plpgsql AS $$
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
DO $$
DECLARE name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['attempt_moves', 'refund_moves', 'movement_correct'] LOOP
        EXECUTE format('ALTER FUNCTION %I() SECURITY DEFINER SET search_path = %I, pg_temp', name, current_schema());
    END LOOP;
END $$;
-- +goose StatementEnd
DROP FUNCTION taxed_back(text, bigint);
DROP FUNCTION taxed_of(text, bigint);
