-- +goose Up

-- A payment does not fail because nobody knows its shop's time zone: the day is then UTC's, as in the program.
-- +goose StatementBegin
CREATE FUNCTION order_day(zone text) RETURNS date LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (now() AT TIME ZONE zone - interval '5 hours')::date;
EXCEPTION WHEN invalid_parameter_value THEN
    RETURN (now() AT TIME ZONE 'UTC' - interval '5 hours')::date;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION order_numbers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO shop_day (shop_code, test_mode, day, last_no)
    SELECT s.code, NEW.test_mode, order_day(s.time_zone), 1 FROM shop s WHERE s.code = NEW.shop_code
    ON CONFLICT (shop_code, test_mode) DO UPDATE
    SET last_no = CASE WHEN shop_day.day < excluded.day THEN 1 ELSE shop_day.last_no + 1 END, day = greatest(shop_day.day, excluded.day)
    RETURNING last_no INTO NEW.order_no;
    RETURN NEW;
END $$;
-- +goose StatementEnd

-- The desk finds the order of today with a number.
CREATE INDEX transaction_order_no ON transaction (shop_code, order_no, paid_at) WHERE order_no IS NOT NULL;

-- +goose Down
DROP INDEX transaction_order_no;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION order_numbers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO shop_day (shop_code, test_mode, day, last_no)
    SELECT s.code, NEW.test_mode, (now() AT TIME ZONE s.time_zone - interval '5 hours')::date, 1 FROM shop s WHERE s.code = NEW.shop_code
    ON CONFLICT (shop_code, test_mode) DO UPDATE
    SET last_no = CASE WHEN shop_day.day < excluded.day THEN 1 ELSE shop_day.last_no + 1 END, day = greatest(shop_day.day, excluded.day)
    RETURNING last_no INTO NEW.order_no;
    RETURN NEW;
END $$;
-- +goose StatementEnd
DROP FUNCTION order_day(text);
