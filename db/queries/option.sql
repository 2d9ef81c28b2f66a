-- name: OptionGroupAdd :one
-- A group of that name that exists stays as it is; then there is no row.
INSERT INTO option_group (client_code, name, min_choices, max_choices, position)
SELECT @client_code, @name, @min_choices, @max_choices, @position
WHERE NOT EXISTS (SELECT FROM option_group g WHERE g.client_code = @client_code AND g.name = @name)
RETURNING id;

-- name: OptionChoiceAdd :exec
INSERT INTO option_choice (client_code, group_id, name, price_minor, preset, position)
VALUES (@client_code, @group_id, @name, @price_minor, @preset, @position);

-- name: ItemOptionGroupAdd :exec
INSERT INTO item_option_group (client_code, item_id, group_id, position)
SELECT i.client_code, i.id, @group_id, @position FROM item i WHERE i.client_code = @client_code AND i.name = @name;

-- name: ChoiceSetSoldOut :execrows
UPDATE option_choice SET sold_out = @sold_out, sold_out_until = NULL WHERE id = @id AND client_code = @client_code;
