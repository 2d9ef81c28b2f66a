-- name: MenuGet :one
-- A business with its menu as a document, what of it is sold out now, the names of its tables, and the revision of its menu. Parts that are
-- no longer on the menu are in it as unavailable. Demo businesses do not exist while demo mode is off.
SELECT sqlc.embed(c), menu_of_tables(c.code)::text AS menu,
    ARRAY(SELECT i.id FROM item i WHERE i.shop_code = c.code AND sold_out_now(i.sold_out, i.sold_out_until) ORDER BY i.id)::bigint[] AS items_out,
    ARRAY(SELECT o.id FROM option_choice o WHERE o.shop_code = c.code AND sold_out_now(o.sold_out, o.sold_out_until) ORDER BY o.id)::bigint[] AS choices_out,
    ARRAY(SELECT t.name FROM shop_table t WHERE t.shop_code = c.code ORDER BY t.position)::text[] AS tables,
    coalesce((SELECT max(v.no) FROM menu_version v WHERE v.shop_code = c.code), 0)::int AS revision
FROM shop c WHERE c.code = $1 AND c.demo_open IS NOT FALSE;
