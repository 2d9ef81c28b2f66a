-- +goose Up

-- What guests ask about an item. contains, may_contain and diets hold the names that internal/menu lists. Only where allergens_known
-- is set does an allergen that is not listed mean that the item is free of it.
ALTER TABLE item
    ADD COLUMN contains text[] NOT NULL DEFAULT '{}' CHECK (cardinality(contains) <= 30),
    ADD COLUMN may_contain text[] NOT NULL DEFAULT '{}' CHECK (cardinality(may_contain) <= 30),
    ADD COLUMN allergens_known boolean NOT NULL DEFAULT false,
    ADD COLUMN diets text[] NOT NULL DEFAULT '{}' CHECK (cardinality(diets) <= 30);

-- When something is on sale, by the clock of the shop's zone, in the words of menu.TidyHours: 'Mon-Fri 07:00-11:30'. Empty is always.
-- An item is on sale while its own hours, its category's and the shop's say so.
ALTER TABLE item ADD COLUMN hours text NOT NULL DEFAULT '' CHECK (length(hours) <= 5000);
ALTER TABLE category ADD COLUMN hours text NOT NULL DEFAULT '' CHECK (length(hours) <= 5000);
ALTER TABLE client ADD COLUMN hours text NOT NULL DEFAULT '' CHECK (length(hours) <= 5000);

-- When a sold-out item is back by itself; null is when somebody says so.
ALTER TABLE item ADD COLUMN sold_out_until timestamptz;

-- +goose Down
ALTER TABLE item DROP COLUMN sold_out_until, DROP COLUMN hours, DROP COLUMN diets, DROP COLUMN allergens_known, DROP COLUMN may_contain,
    DROP COLUMN contains;
ALTER TABLE category DROP COLUMN hours;
ALTER TABLE client DROP COLUMN hours;
