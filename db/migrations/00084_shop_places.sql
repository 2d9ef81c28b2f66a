-- +goose Up

-- Where a shop makes things: what item.loc may name.
CREATE TABLE shop_location (
    client_code text NOT NULL REFERENCES client (code) ON DELETE CASCADE,
    name        text NOT NULL CHECK (name <> '' AND length(name) <= 40),
    position    integer NOT NULL,
    PRIMARY KEY (client_code, name)
);
INSERT INTO shop_location (client_code, name, position)
SELECT client_code, loc, (row_number() OVER (PARTITION BY client_code ORDER BY min(id)))::int - 1
FROM item WHERE length(loc) <= 40 GROUP BY client_code, loc;

-- The tables of a shop. The name is what ?t= carries and an order keeps, so it is unique in the shop, whatever the area.
CREATE TABLE shop_table (
    client_code text NOT NULL REFERENCES client (code) ON DELETE CASCADE,
    name        text NOT NULL CHECK (name <> '' AND length(name) <= 20),
    area        text NOT NULL DEFAULT '' CHECK (length(area) <= 40),
    position    integer NOT NULL,
    PRIMARY KEY (client_code, name)
);

-- +goose Down
DROP TABLE shop_table, shop_location;
