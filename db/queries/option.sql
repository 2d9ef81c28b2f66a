-- name: ChoiceSetSoldOut :one
-- Returns the group and the name, for the audit log.
UPDATE option_choice o SET sold_out = @sold_out, sold_out_until = sqlc.narg(until) FROM option_group g
WHERE o.id = @id AND o.shop_code = @shop_code AND g.shop_code = o.shop_code AND g.id = o.group_id
RETURNING (g.name || ': ' || o.name)::text AS name;
