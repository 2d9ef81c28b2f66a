-- +goose Up

-- The menu as its editors last left it: one document of package menu. A shop whose menu was never edited has no row.
CREATE TABLE menu_draft (
    client_code text PRIMARY KEY REFERENCES client (code) ON DELETE CASCADE,
    revision    bigint NOT NULL, -- grows by one with every change
    body        jsonb NOT NULL,
    changed_at  timestamptz NOT NULL DEFAULT now(),
    changed_by  text NOT NULL
);

-- Each menu that guests have seen, and those that wait for their time. What guests see now is in category, item and option_group; what the
-- menu no longer has stays there, hidden, because orders refer to it.
CREATE TABLE menu_version (
    client_code  text NOT NULL REFERENCES client (code) ON DELETE CASCADE,
    no           integer NOT NULL,
    body         jsonb NOT NULL,
    made_at      timestamptz NOT NULL DEFAULT now(),
    made_by      text NOT NULL, -- '' for what was there before the first version
    origin       text NOT NULL DEFAULT '', -- how it came about, if not from the draft: 'import', 'version 3'
    due_at       timestamptz, -- when it is to be published; null: at once
    published_at timestamptz, -- null while it waits
    PRIMARY KEY (client_code, no),
    CHECK (published_at IS NOT NULL OR due_at IS NOT NULL)
);
CREATE INDEX menu_version_due ON menu_version (due_at) WHERE published_at IS NULL;

-- What is in a menu's document, as rows.
-- +goose StatementBegin
CREATE FUNCTION menu_list(list jsonb) RETURNS TABLE (value jsonb, place integer) LANGUAGE sql IMMUTABLE AS
$$ SELECT e.value, e.n::integer - 1 FROM jsonb_array_elements(CASE jsonb_typeof(list) WHEN 'array' THEN list ELSE '[]' END) WITH ORDINALITY e (value, n) $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION menu_texts(list jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS
$$ SELECT ARRAY(SELECT l.value #>> '{}' FROM menu_list(list) l ORDER BY l.place) $$;
-- +goose StatementEnd
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
CREATE FUNCTION menu_groups(body jsonb) RETURNS TABLE (id bigint, name text, min_choices integer, max_choices integer, place integer, choices jsonb)
LANGUAGE sql IMMUTABLE AS
$$ SELECT (l.value->>'id')::bigint, l.value->>'name', (l.value->>'min')::integer, (l.value->>'max')::integer, l.place, l.value->'choices'
    FROM menu_list(body->'groups') l $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION menu_choices(body jsonb) RETURNS TABLE (id bigint, group_id bigint, name text, price_minor bigint, preset boolean, available boolean, place integer)
LANGUAGE sql IMMUTABLE AS
$$ SELECT (l.value->>'id')::bigint, g.id, l.value->>'name', coalesce((l.value->>'priceMinor')::bigint, 0), coalesce((l.value->>'preset')::boolean, false),
    (l.value->>'available')::boolean, l.place
    FROM menu_groups(body) g CROSS JOIN LATERAL menu_list(g.choices) l $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION menu_asked(body jsonb) RETURNS TABLE (item_id bigint, group_id bigint, place integer) LANGUAGE sql IMMUTABLE AS
$$ SELECT i.id, (l.value #>> '{}')::bigint, l.place FROM menu_items(body) i CROSS JOIN LATERAL menu_list(i.groups) l $$;
-- +goose StatementEnd

-- The document of what the tables hold.
-- +goose StatementBegin
CREATE FUNCTION menu_of_tables(code text) RETURNS jsonb LANGUAGE sql STABLE AS
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

-- +goose Down
DROP FUNCTION menu_of_tables(text), menu_asked(jsonb), menu_choices(jsonb), menu_groups(jsonb), menu_items(jsonb), menu_categories(jsonb),
    menu_texts(jsonb), menu_list(jsonb);
DROP TABLE menu_version, menu_draft;
