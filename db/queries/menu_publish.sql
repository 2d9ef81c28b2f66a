-- These statements write a published menu into the tables, by id and only where it differs. body is a document of package menu. None of
-- them changes what is sold out.

-- name: MenuPutCategoryNames :exec
-- Frees a name that the menu now gives to another category.
UPDATE category c SET name = c.name || ' #' || c.id FROM menu_categories(@body::jsonb) d
WHERE c.shop_code = @code AND d.name = c.name AND d.id <> c.id;

-- name: MenuPutCategories :exec
INSERT INTO category AS c (id, shop_code, name, hours, other_hours, position) OVERRIDING SYSTEM VALUE
SELECT d.id, @code::text, d.name, d.hours, d.other_hours, d.place FROM menu_categories(@body::jsonb) d
ON CONFLICT (id) DO UPDATE SET name = excluded.name, hours = excluded.hours, other_hours = excluded.other_hours, position = excluded.position
WHERE c.shop_code = excluded.shop_code
    AND (c.name, c.hours, c.other_hours, c.position) IS DISTINCT FROM (excluded.name, excluded.hours, excluded.other_hours, excluded.position);

-- name: MenuPutItemNames :exec
-- Frees a name that the menu now gives to another item.
UPDATE item i SET name = i.name || ' #' || i.id FROM menu_items(@body::jsonb) d
WHERE i.shop_code = @code AND d.name = i.name AND d.id <> i.id;

-- name: MenuPutItems :exec
INSERT INTO item AS i (id, shop_code, category_id, name, description, price_minor, picture, loc, available, allergens_known, contains, may_contain, diets,
    hours, note_max, gst_free, other_price_minor, position) OVERRIDING SYSTEM VALUE
SELECT d.id, @code::text, d.category_id, d.name, d.description, d.price_minor, d.picture, d.loc, d.available, d.allergens_known, d.contains, d.may_contain,
    d.diets, d.hours, d.note_max, d.gst_free, d.other_price_minor, d.place
FROM menu_items(@body::jsonb) d
ON CONFLICT (id) DO UPDATE SET category_id = excluded.category_id, name = excluded.name, description = excluded.description,
    price_minor = excluded.price_minor, picture = excluded.picture, loc = excluded.loc, available = excluded.available,
    allergens_known = excluded.allergens_known, contains = excluded.contains, may_contain = excluded.may_contain, diets = excluded.diets,
    hours = excluded.hours, note_max = excluded.note_max, gst_free = excluded.gst_free, other_price_minor = excluded.other_price_minor,
    position = excluded.position
WHERE i.shop_code = excluded.shop_code AND (i.category_id, i.name, i.description, i.price_minor, i.picture, i.loc, i.available, i.allergens_known,
    i.contains, i.may_contain, i.diets, i.hours, i.note_max, i.gst_free, i.other_price_minor, i.position)
    IS DISTINCT FROM (excluded.category_id, excluded.name, excluded.description, excluded.price_minor, excluded.picture, excluded.loc, excluded.available,
    excluded.allergens_known, excluded.contains, excluded.may_contain, excluded.diets, excluded.hours, excluded.note_max, excluded.gst_free,
    excluded.other_price_minor, excluded.position);

-- name: MenuDropItems :exec
-- Deletes the items that the menu does not have. Those that were ever ordered stay for the books, hidden; min and BETWEEN make that one look
-- at an index for each item.
WITH gone AS (
    SELECT i.id, (SELECT min(l.item_id) FROM order_line l WHERE l.item_id BETWEEN i.id AND i.id) IS NOT NULL AS ordered FROM item i
    WHERE i.shop_code = @code AND NOT EXISTS (SELECT FROM menu_items(@body::jsonb) d WHERE d.id = i.id)
), hidden AS (
    UPDATE item SET available = false FROM gone WHERE item.id = gone.id AND gone.ordered AND item.available
)
DELETE FROM item USING gone WHERE item.id = gone.id AND NOT gone.ordered;

-- name: MenuDropCategories :exec
DELETE FROM category c WHERE c.shop_code = @code AND NOT EXISTS (SELECT FROM menu_categories(@body::jsonb) d WHERE d.id = c.id)
AND NOT EXISTS (SELECT FROM item i WHERE i.shop_code = c.shop_code AND i.category_id = c.id);

-- name: MenuDropGroups :exec
DELETE FROM option_group g WHERE g.shop_code = @code AND NOT EXISTS (SELECT FROM menu_groups(@body::jsonb) d WHERE d.id = g.id);

-- name: MenuPutGroups :exec
INSERT INTO option_group AS g (id, shop_code, name, min_choices, max_choices, position) OVERRIDING SYSTEM VALUE
SELECT d.id, @code::text, d.name, d.min_choices, d.max_choices, d.place FROM menu_groups(@body::jsonb) d
ON CONFLICT (id) DO UPDATE SET name = excluded.name, min_choices = excluded.min_choices, max_choices = excluded.max_choices, position = excluded.position
WHERE g.shop_code = excluded.shop_code
    AND (g.name, g.min_choices, g.max_choices, g.position) IS DISTINCT FROM (excluded.name, excluded.min_choices, excluded.max_choices, excluded.position);

-- name: MenuPutChoices :exec
INSERT INTO option_choice AS o (id, shop_code, group_id, name, price_minor, preset, available, position, allergens_known, contains, may_contain)
    OVERRIDING SYSTEM VALUE
SELECT d.id, @code::text, d.group_id, d.name, d.price_minor, d.preset, d.available, d.place, d.allergens_known, d.contains, d.may_contain
FROM menu_choices(@body::jsonb) d
ON CONFLICT (id) DO UPDATE SET name = excluded.name, price_minor = excluded.price_minor, preset = excluded.preset, available = excluded.available,
    position = excluded.position, allergens_known = excluded.allergens_known, contains = excluded.contains, may_contain = excluded.may_contain
WHERE o.shop_code = excluded.shop_code AND o.group_id = excluded.group_id
    AND (o.name, o.price_minor, o.preset, o.available, o.position, o.allergens_known, o.contains, o.may_contain)
    IS DISTINCT FROM (excluded.name, excluded.price_minor, excluded.preset, excluded.available, excluded.position, excluded.allergens_known,
    excluded.contains, excluded.may_contain);

-- name: MenuDropChoices :exec
DELETE FROM option_choice o WHERE o.shop_code = @code AND NOT EXISTS (SELECT FROM menu_choices(@body::jsonb) d WHERE d.id = o.id);

-- name: MenuDropAsked :exec
DELETE FROM item_option_group a WHERE a.shop_code = @code
AND NOT EXISTS (SELECT FROM menu_asked(@body::jsonb) d WHERE d.item_id = a.item_id AND d.group_id = a.group_id);

-- name: MenuPutAsked :exec
INSERT INTO item_option_group AS a (shop_code, item_id, group_id, position)
SELECT @code::text, d.item_id, d.group_id, d.place FROM menu_asked(@body::jsonb) d
ON CONFLICT (shop_code, item_id, group_id) DO UPDATE SET position = excluded.position WHERE a.position <> excluded.position;

-- name: MenuCountPut :one
-- Counts how many parts of a menu are in the shop's tables. There are fewer than the menu names if an id belongs to another shop.
SELECT ((SELECT count(*) FROM menu_categories(@body::jsonb) d JOIN category c ON c.id = d.id AND c.shop_code = @code::text)
    + (SELECT count(*) FROM menu_items(@body::jsonb) d JOIN item i ON i.id = d.id AND i.shop_code = @code::text)
    + (SELECT count(*) FROM menu_groups(@body::jsonb) d JOIN option_group g ON g.id = d.id AND g.shop_code = @code::text)
    + (SELECT count(*) FROM menu_choices(@body::jsonb) d JOIN option_choice o ON o.id = d.id AND o.group_id = d.group_id AND o.shop_code = @code::text))::bigint AS n;
