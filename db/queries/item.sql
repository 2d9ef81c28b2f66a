-- name: ItemListByClient :many
-- The whole menu in display order, including unavailable items.
SELECT i.id, i.name, i.description, i.price_minor, i.picture, i.loc, i.available, i.sold_out,
       i.category_id, c.name AS category
FROM item i
JOIN category c ON c.client_code = i.client_code AND c.id = i.category_id
WHERE i.client_code = $1
ORDER BY c.position, c.id, i.position, i.id;

-- name: CategoryPut :one
INSERT INTO category (client_code, name, position) VALUES (@client_code, @name, @position)
ON CONFLICT (client_code, name) DO UPDATE SET name = excluded.name
RETURNING id;

-- name: ItemPut :exec
-- An existing item keeps its merchant's changes.
INSERT INTO item (client_code, category_id, name, description, price_minor, picture, loc, available, position)
VALUES (@client_code, @category_id, @name, @description, @price_minor, @picture, @loc, @available, @position)
ON CONFLICT (client_code, name) DO NOTHING;

-- name: ItemHideAll :exec
UPDATE item SET available = false WHERE client_code = @client_code;

-- name: CategoryPlace :one
INSERT INTO category (client_code, name, position) VALUES (@client_code, @name, @position)
ON CONFLICT (client_code, name) DO UPDATE SET position = excluded.position
RETURNING id;

-- name: ItemSet :exec
-- An existing item of that name is updated from the file; what the kitchen switched off stays off.
INSERT INTO item (client_code, category_id, name, description, price_minor, loc, available, position)
VALUES (@client_code, @category_id, @name, @description, @price_minor, @loc, @available, @position)
ON CONFLICT (client_code, name) DO UPDATE
SET category_id = excluded.category_id, description = excluded.description, price_minor = excluded.price_minor,
    loc = excluded.loc, available = excluded.available, position = excluded.position;
