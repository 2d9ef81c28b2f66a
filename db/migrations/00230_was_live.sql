-- +goose Up
-- A shop that went back to test mode keeps its real payments: its books show them first.
ALTER TABLE shop ADD COLUMN was_live boolean NOT NULL DEFAULT false;
UPDATE shop SET was_live = true
WHERE NOT live AND (EXISTS (SELECT FROM attempt a WHERE a.shop_code = code AND NOT a.test_mode)
    OR EXISTS (SELECT FROM closing c WHERE c.shop_code = code AND NOT c.test_mode));

-- +goose Down
ALTER TABLE shop DROP COLUMN was_live;
