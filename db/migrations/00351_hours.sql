-- +goose Up

-- The state whose public holidays a business keeps: until it chooses one, that of its time zone.
-- +goose StatementBegin
CREATE FUNCTION state_of(country text, chosen text, zone text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN chosen <> '' OR country <> 'AU' THEN chosen ELSE CASE zone
        WHEN 'Australia/Sydney' THEN 'NSW' WHEN 'Australia/Lord_Howe' THEN 'NSW' WHEN 'Australia/Broken_Hill' THEN 'NSW'
        WHEN 'Australia/Melbourne' THEN 'VIC' WHEN 'Australia/Brisbane' THEN 'QLD' WHEN 'Australia/Adelaide' THEN 'SA'
        WHEN 'Australia/Perth' THEN 'WA' WHEN 'Australia/Hobart' THEN 'TAS' WHEN 'Australia/Darwin' THEN 'NT' ELSE '' END END
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION holidays_of(code text) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_object_agg(h.day, h.name), '{}') FROM (
        SELECT k.day, k.name FROM shop c JOIN holiday k ON k.country = c.country_code AND k.state = state_of(c.country_code, c.state, c.time_zone)
            WHERE c.code = holidays_of.code AND NOT EXISTS (SELECT FROM shop_holiday o WHERE o.shop_code = c.code AND o.day = k.day)
        UNION ALL SELECT o.day, o.name FROM shop_holiday o WHERE o.shop_code = holidays_of.code) h
    WHERE h.day BETWEEN current_date - 1 AND current_date + 366
$$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION holidays_of(code text) RETURNS jsonb LANGUAGE sql STABLE AS $$
    SELECT coalesce(jsonb_object_agg(h.day, h.name), '{}') FROM (
        SELECT k.day, k.name FROM shop c JOIN holiday k ON k.country = c.country_code AND k.state = c.state WHERE c.code = holidays_of.code
            AND NOT EXISTS (SELECT FROM shop_holiday o WHERE o.shop_code = c.code AND o.day = k.day)
        UNION ALL SELECT o.day, o.name FROM shop_holiday o WHERE o.shop_code = holidays_of.code) h
    WHERE h.day BETWEEN current_date - 1 AND current_date + 366
$$;
-- +goose StatementEnd
DROP FUNCTION state_of(text, text, text);
