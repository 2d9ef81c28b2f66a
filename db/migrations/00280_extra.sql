-- +goose Up

-- The lines of an order are its items, and extras: a surcharge and a tip, of which nothing is made. taxed_minor is the part of a line, or of a
-- whole order, that includes GST.
ALTER TABLE order_line ADD COLUMN kind text NOT NULL DEFAULT 'item', ADD COLUMN taxed_minor bigint, -- null: all of it
    ADD CONSTRAINT order_line_kind_check CHECK (kind IN ('item', 'surcharge', 'tip')) NOT VALID,
    ADD CONSTRAINT order_line_taxed_minor_check CHECK (taxed_minor BETWEEN 0 AND price_minor * qty) NOT VALID,
    DROP CONSTRAINT order_line_status_check,
    ADD CONSTRAINT order_line_status_check CHECK (status IN ('open', 'done', 'cancelled', 'extra')) NOT VALID,
    ADD CONSTRAINT order_line_extra_check CHECK ((status = 'extra') = (kind <> 'item')) NOT VALID;
ALTER TABLE transaction ADD COLUMN taxed_minor bigint, -- null: all of it
    ADD COLUMN order_no integer, -- of a paid order, in its shop's day; null: it has none
    ADD CONSTRAINT transaction_taxed_minor_check CHECK (taxed_minor BETWEEN 0 AND amount_minor) NOT VALID;

-- What a shop adds to orders, in hundredths of a percent: on Sundays to Saturdays, and on public holidays, which take the place of the weekday's.
-- The tips that it proposes, in percent.
ALTER TABLE shop ADD COLUMN surcharges integer[] NOT NULL DEFAULT '{0,0,0,0,0,0,0,0}', ADD COLUMN tips integer[] NOT NULL DEFAULT '{}',
    ADD COLUMN state text NOT NULL DEFAULT '', -- such as 'VIC', whose public holidays it keeps
    ADD CONSTRAINT shop_surcharges_check CHECK (cardinality(surcharges) = 8 AND 0 <= ALL (surcharges) AND 5000 >= ALL (surcharges)) NOT VALID,
    ADD CONSTRAINT shop_tips_check CHECK (cardinality(tips) IN (0, 3) AND 1 <= ALL (tips) AND 100 >= ALL (tips)) NOT VALID;

-- The public holidays that the provider keeps for each state, and those that a shop keeps besides.
CREATE TABLE holiday (
    country text NOT NULL,
    state   text NOT NULL,
    day     date NOT NULL,
    name    text NOT NULL CHECK (name <> ''),
    PRIMARY KEY (country, state, day)
);
CREATE TABLE shop_holiday (
    shop_code text NOT NULL REFERENCES shop ON DELETE CASCADE,
    day       date NOT NULL,
    name      text NOT NULL CHECK (name <> ''),
    PRIMARY KEY (shop_code, day)
);
-- The public holidays of a shop in the year from yesterday, by their dates. Its own name for a day counts.
-- +goose StatementBegin
CREATE FUNCTION holidays_of(code text) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_object_agg(h.day, h.name), '{}') FROM (
        SELECT k.day, k.name FROM shop c JOIN holiday k ON k.country = c.country_code AND k.state = c.state WHERE c.code = holidays_of.code
            AND NOT EXISTS (SELECT FROM shop_holiday o WHERE o.shop_code = c.code AND o.day = k.day)
        UNION ALL SELECT o.day, o.name FROM shop_holiday o WHERE o.shop_code = holidays_of.code) h
    WHERE h.day BETWEEN current_date - 1 AND current_date + 366
$$;
-- +goose StatementEnd

-- Items without GST, and the second price list of a category at some hours.
ALTER TABLE item ADD COLUMN gst_free boolean NOT NULL DEFAULT false, ADD COLUMN other_price_minor bigint CHECK (other_price_minor >= 0);
ALTER TABLE category ADD COLUMN other_hours text NOT NULL DEFAULT '';
DROP FUNCTION menu_items(jsonb), menu_categories(jsonb);
-- +goose StatementBegin
CREATE FUNCTION menu_categories(body jsonb) RETURNS TABLE (id bigint, name text, hours text, other_hours text, place integer, items jsonb) LANGUAGE sql IMMUTABLE AS
$$ SELECT (l.value->>'id')::bigint, l.value->>'name', coalesce(l.value->>'hours', ''),
    coalesce(l.value->>'otherHours', ''), l.place, l.value->'items' FROM menu_list(body->'categories') l $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION menu_items(body jsonb) RETURNS TABLE (id bigint, category_id bigint, name text, description text, price_minor bigint, picture text, loc text,
    available boolean, allergens_known boolean, contains text[], may_contain text[], diets text[], hours text, note_max integer, gst_free boolean,
    other_price_minor bigint, groups jsonb, place integer)
LANGUAGE sql IMMUTABLE AS
$$ SELECT (l.value->>'id')::bigint, c.id, l.value->>'name', coalesce(l.value->>'description', ''), (l.value->>'priceMinor')::bigint,
    coalesce(l.value->>'picture', ''), l.value->>'loc', (l.value->>'available')::boolean, coalesce((l.value->>'allergensKnown')::boolean, false),
    menu_texts(l.value->'contains'), menu_texts(l.value->'mayContain'), menu_texts(l.value->'diets'), coalesce(l.value->>'hours', ''),
    coalesce((l.value->>'noteMax')::integer, 0), coalesce((l.value->>'gstFree')::boolean, false), (l.value->>'otherPriceMinor')::bigint,
    l.value->'groups', l.place
    FROM menu_categories(body) c CROSS JOIN LATERAL menu_list(c.items) l $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION menu_of_tables(code text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$ SELECT jsonb_build_object(
    'categories', coalesce((SELECT jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'hours', c.hours, 'otherHours', c.other_hours, 'items', coalesce((
        SELECT jsonb_agg(jsonb_build_object('id', i.id, 'name', i.name, 'description', i.description, 'priceMinor', i.price_minor, 'picture', i.picture,
            'loc', i.loc, 'available', i.available, 'allergensKnown', i.allergens_known, 'contains', i.contains, 'mayContain', i.may_contain,
            'diets', i.diets, 'hours', i.hours, 'noteMax', i.note_max, 'gstFree', i.gst_free, 'otherPriceMinor', i.other_price_minor,
            'groups', ARRAY(SELECT a.group_id FROM item_option_group a WHERE a.shop_code = code AND a.item_id = i.id ORDER BY a.position, a.group_id))
            ORDER BY i.position, i.id)
        FROM item i WHERE i.shop_code = code AND i.category_id = c.id), '[]')) ORDER BY c.position, c.id)
        FROM category c WHERE c.shop_code = code), '[]'),
    'groups', coalesce((SELECT jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'min', g.min_choices, 'max', g.max_choices, 'choices', coalesce((
        SELECT jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name, 'priceMinor', o.price_minor, 'preset', o.preset, 'available', o.available,
            'allergensKnown', o.allergens_known, 'contains', o.contains, 'mayContain', o.may_contain)
            ORDER BY o.position, o.id)
        FROM option_choice o WHERE o.shop_code = code AND o.group_id = g.id), '[]')) ORDER BY g.position, g.id)
        FROM option_group g WHERE g.shop_code = code), '[]')) $function$;
-- +goose StatementEnd

-- The number of an order in its shop's day, which begins at 5 in the morning (shop.DayTurns).
CREATE TABLE shop_day (
    shop_code text NOT NULL REFERENCES shop ON DELETE CASCADE,
    test_mode boolean NOT NULL,
    day       date NOT NULL,
    last_no   integer NOT NULL,
    PRIMARY KEY (shop_code, test_mode)
);
-- +goose StatementBegin
CREATE FUNCTION order_numbers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO shop_day (shop_code, test_mode, day, last_no)
    SELECT s.code, NEW.test_mode, (now() AT TIME ZONE s.time_zone - interval '5 hours')::date, 1 FROM shop s WHERE s.code = NEW.shop_code
    ON CONFLICT (shop_code, test_mode) DO UPDATE
    SET last_no = CASE WHEN shop_day.day < excluded.day THEN 1 ELSE shop_day.last_no + 1 END, day = greatest(shop_day.day, excluded.day)
    RETURNING last_no INTO NEW.order_no;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER order_numbers BEFORE UPDATE OF approved_attempt ON transaction FOR EACH ROW
    WHEN (NEW.kind = 'order' AND OLD.approved_attempt IS NULL AND NEW.approved_attempt IS NOT NULL) EXECUTE FUNCTION order_numbers();

-- +goose Down
DROP TRIGGER order_numbers ON transaction;
DROP FUNCTION order_numbers();
DROP TABLE shop_day;
DROP FUNCTION menu_items(jsonb), menu_categories(jsonb);
-- +goose StatementBegin
CREATE FUNCTION menu_categories(body jsonb) RETURNS TABLE (id bigint, name text, hours text, place integer, items jsonb) LANGUAGE sql IMMUTABLE AS
$$ SELECT (l.value->>'id')::bigint, l.value->>'name', coalesce(l.value->>'hours', ''), l.place, l.value->'items' FROM menu_list(body->'categories') l $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION menu_items(body jsonb) RETURNS TABLE (id bigint, category_id bigint, name text, description text, price_minor bigint, picture text, loc text,
    available boolean, allergens_known boolean, contains text[], may_contain text[], diets text[], hours text, note_max integer, groups jsonb, place integer)
LANGUAGE sql IMMUTABLE AS
$$ SELECT (l.value->>'id')::bigint, c.id, l.value->>'name', coalesce(l.value->>'description', ''), (l.value->>'priceMinor')::bigint,
    coalesce(l.value->>'picture', ''), l.value->>'loc', (l.value->>'available')::boolean, coalesce((l.value->>'allergensKnown')::boolean, false),
    menu_texts(l.value->'contains'), menu_texts(l.value->'mayContain'), menu_texts(l.value->'diets'), coalesce(l.value->>'hours', ''),
    coalesce((l.value->>'noteMax')::integer, 0), l.value->'groups', l.place
    FROM menu_categories(body) c CROSS JOIN LATERAL menu_list(c.items) l $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION menu_of_tables(code text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$ SELECT jsonb_build_object(
    'categories', coalesce((SELECT jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'hours', c.hours, 'items', coalesce((
        SELECT jsonb_agg(jsonb_build_object('id', i.id, 'name', i.name, 'description', i.description, 'priceMinor', i.price_minor, 'picture', i.picture,
            'loc', i.loc, 'available', i.available, 'allergensKnown', i.allergens_known, 'contains', i.contains, 'mayContain', i.may_contain,
            'diets', i.diets, 'hours', i.hours, 'noteMax', i.note_max,
            'groups', ARRAY(SELECT a.group_id FROM item_option_group a WHERE a.shop_code = code AND a.item_id = i.id ORDER BY a.position, a.group_id))
            ORDER BY i.position, i.id)
        FROM item i WHERE i.shop_code = code AND i.category_id = c.id), '[]')) ORDER BY c.position, c.id)
        FROM category c WHERE c.shop_code = code), '[]'),
    'groups', coalesce((SELECT jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'min', g.min_choices, 'max', g.max_choices, 'choices', coalesce((
        SELECT jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name, 'priceMinor', o.price_minor, 'preset', o.preset, 'available', o.available,
            'allergensKnown', o.allergens_known, 'contains', o.contains, 'mayContain', o.may_contain)
            ORDER BY o.position, o.id)
        FROM option_choice o WHERE o.shop_code = code AND o.group_id = g.id), '[]')) ORDER BY g.position, g.id)
        FROM option_group g WHERE g.shop_code = code), '[]')) $function$;
-- +goose StatementEnd
ALTER TABLE category DROP COLUMN other_hours;
ALTER TABLE item DROP COLUMN gst_free, DROP COLUMN other_price_minor;
DROP FUNCTION holidays_of(text);
DROP TABLE shop_holiday, holiday;
ALTER TABLE shop DROP COLUMN surcharges, DROP COLUMN tips, DROP COLUMN state;
ALTER TABLE transaction DROP COLUMN taxed_minor, DROP COLUMN order_no;
DELETE FROM order_line WHERE kind <> 'item';
ALTER TABLE order_line DROP CONSTRAINT order_line_status_check, DROP CONSTRAINT order_line_extra_check, DROP COLUMN kind, DROP COLUMN taxed_minor,
    ADD CONSTRAINT order_line_status_check CHECK (status IN ('open', 'done', 'cancelled')) NOT VALID;
