-- +goose Up

-- What guests ask about a choice, as for an item: contains and may_contain hold the names that internal/menu lists, and only where
-- allergens_known is set does an allergen that is not listed mean that the choice is free of it. Nobody has said anything about the
-- choices that are there, so they begin unknown.
ALTER TABLE option_choice
    ADD COLUMN contains text[] NOT NULL DEFAULT '{}' CHECK (cardinality(contains) <= 30),
    ADD COLUMN may_contain text[] NOT NULL DEFAULT '{}' CHECK (cardinality(may_contain) <= 30),
    ADD COLUMN allergens_known boolean NOT NULL DEFAULT false;

DROP FUNCTION menu_choices(jsonb);
-- +goose StatementBegin
CREATE FUNCTION menu_choices(body jsonb) RETURNS TABLE (id bigint, group_id bigint, name text, price_minor bigint, preset boolean, available boolean, place integer,
    allergens_known boolean, contains text[], may_contain text[]) LANGUAGE sql IMMUTABLE AS
$$ SELECT (l.value->>'id')::bigint, g.id, l.value->>'name', coalesce((l.value->>'priceMinor')::bigint, 0), coalesce((l.value->>'preset')::boolean, false),
    (l.value->>'available')::boolean, l.place, coalesce((l.value->>'allergensKnown')::boolean, false), menu_texts(l.value->'contains'),
    menu_texts(l.value->'mayContain')
    FROM menu_groups(body) g CROSS JOIN LATERAL menu_list(g.choices) l $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION menu_of_tables(code text) RETURNS jsonb LANGUAGE sql STABLE AS
$$ SELECT jsonb_build_object(
    'categories', coalesce((SELECT jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'hours', c.hours, 'items', coalesce((
        SELECT jsonb_agg(jsonb_build_object('id', i.id, 'name', i.name, 'description', i.description, 'priceMinor', i.price_minor, 'picture', i.picture,
            'loc', i.loc, 'available', i.available, 'allergensKnown', i.allergens_known, 'contains', i.contains, 'mayContain', i.may_contain,
            'diets', i.diets, 'hours', i.hours, 'noteMax', i.note_max,
            'groups', ARRAY(SELECT a.group_id FROM item_option_group a WHERE a.client_code = code AND a.item_id = i.id ORDER BY a.position, a.group_id))
            ORDER BY i.position, i.id)
        FROM item i WHERE i.client_code = code AND i.category_id = c.id), '[]')) ORDER BY c.position, c.id)
        FROM category c WHERE c.client_code = code), '[]'),
    'groups', coalesce((SELECT jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'min', g.min_choices, 'max', g.max_choices, 'choices', coalesce((
        SELECT jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name, 'priceMinor', o.price_minor, 'preset', o.preset, 'available', o.available,
            'allergensKnown', o.allergens_known, 'contains', o.contains, 'mayContain', o.may_contain)
            ORDER BY o.position, o.id)
        FROM option_choice o WHERE o.client_code = code AND o.group_id = g.id), '[]')) ORDER BY g.position, g.id)
        FROM option_group g WHERE g.client_code = code), '[]')) $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION menu_choices(jsonb);
-- +goose StatementBegin
CREATE FUNCTION menu_choices(body jsonb) RETURNS TABLE (id bigint, group_id bigint, name text, price_minor bigint, preset boolean, available boolean, place integer)
LANGUAGE sql IMMUTABLE AS
$$ SELECT (l.value->>'id')::bigint, g.id, l.value->>'name', coalesce((l.value->>'priceMinor')::bigint, 0), coalesce((l.value->>'preset')::boolean, false),
    (l.value->>'available')::boolean, l.place
    FROM menu_groups(body) g CROSS JOIN LATERAL menu_list(g.choices) l $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION menu_of_tables(code text) RETURNS jsonb LANGUAGE sql STABLE AS
$$ SELECT jsonb_build_object(
    'categories', coalesce((SELECT jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'hours', c.hours, 'items', coalesce((
        SELECT jsonb_agg(jsonb_build_object('id', i.id, 'name', i.name, 'description', i.description, 'priceMinor', i.price_minor, 'picture', i.picture,
            'loc', i.loc, 'available', i.available, 'allergensKnown', i.allergens_known, 'contains', i.contains, 'mayContain', i.may_contain,
            'diets', i.diets, 'hours', i.hours, 'noteMax', i.note_max,
            'groups', ARRAY(SELECT a.group_id FROM item_option_group a WHERE a.client_code = code AND a.item_id = i.id ORDER BY a.position, a.group_id))
            ORDER BY i.position, i.id)
        FROM item i WHERE i.client_code = code AND i.category_id = c.id), '[]')) ORDER BY c.position, c.id)
        FROM category c WHERE c.client_code = code), '[]'),
    'groups', coalesce((SELECT jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'min', g.min_choices, 'max', g.max_choices, 'choices', coalesce((
        SELECT jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name, 'priceMinor', o.price_minor, 'preset', o.preset, 'available', o.available)
            ORDER BY o.position, o.id)
        FROM option_choice o WHERE o.client_code = code AND o.group_id = g.id), '[]')) ORDER BY g.position, g.id)
        FROM option_group g WHERE g.client_code = code), '[]')) $$;
-- +goose StatementEnd
ALTER TABLE option_choice DROP COLUMN allergens_known, DROP COLUMN may_contain, DROP COLUMN contains;
