-- name: ChoiceSetSoldOut :execrows
UPDATE option_choice SET sold_out = @sold_out, sold_out_until = sqlc.narg(until) WHERE id = @id AND shop_code = @shop_code;
