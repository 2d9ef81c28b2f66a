-- name: MenuGet :one
-- A business with all its option groups as JSON, their choices in order, the names of its tables, and the revision of its menu. Demo
-- businesses do not exist while demo mode is off.
SELECT sqlc.embed(c), coalesce((
    SELECT json_agg(json_build_object('id', g.id, 'name', g.name, 'min', g.min_choices, 'max', g.max_choices, 'choices', o.choices)
                    ORDER BY g.position, g.id)
    FROM option_group g CROSS JOIN LATERAL (
        SELECT coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'price', o.price_minor, 'preset', o.preset,
                    'available', o.available, 'soldOut', sold_out_now(o.sold_out, o.sold_out_until), 'known', o.allergens_known,
                    'contains', o.contains, 'mayContain', o.may_contain) ORDER BY o.position, o.id), '[]') AS choices
        FROM option_choice o WHERE o.shop_code = g.shop_code AND o.group_id = g.id
    ) o WHERE g.shop_code = c.code), '[]')::text AS groups,
    ARRAY(SELECT t.name FROM shop_table t WHERE t.shop_code = c.code ORDER BY t.position)::text[] AS tables,
    coalesce((SELECT max(v.no) FROM menu_version v WHERE v.shop_code = c.code), 0)::int AS revision
FROM shop c WHERE c.code = $1 AND c.demo_open IS NOT FALSE;

-- name: ItemListByShop :many
-- The whole menu in display order, including unavailable items. groups are the ids of the item's option groups, in order.
SELECT i.id, i.name, i.description, i.price_minor, i.picture, i.loc, i.available, i.note_max,
       sold_out_now(i.sold_out, i.sold_out_until)::boolean AS sold_out, i.category_id, c.name AS category, i.hours, c.hours AS category_hours,
       i.allergens_known, array_to_string(i.contains, ',')::text AS contains, array_to_string(i.may_contain, ',')::text AS may_contain,
       array_to_string(i.diets, ',')::text AS diets,
       coalesce((SELECT string_agg(g.group_id::text, ',' ORDER BY g.position, g.group_id) FROM item_option_group g
                 WHERE g.shop_code = i.shop_code AND g.item_id = i.id), '')::text AS groups
FROM item i
JOIN category c ON c.shop_code = i.shop_code AND c.id = i.category_id
WHERE i.shop_code = $1
ORDER BY c.position, c.id, i.position, i.id;
