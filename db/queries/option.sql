-- name: ChoiceSetSoldOut :execrows
UPDATE option_choice SET sold_out = @sold_out, sold_out_until = NULL WHERE id = @id AND client_code = @client_code;
