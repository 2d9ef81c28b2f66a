-- +goose Up

-- What a guest chooses with an item. Several items may share a group. At most 1 choice means "choose one"; at least 0 means that it
-- may be left out.
CREATE TABLE option_group (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    client_code text NOT NULL REFERENCES client (code) ON DELETE CASCADE,
    name        text NOT NULL CHECK (name <> '' AND length(name) <= 200),
    min_choices integer NOT NULL CHECK (min_choices >= 0),
    max_choices integer NOT NULL CHECK (max_choices BETWEEN 1 AND 50),
    position    integer NOT NULL DEFAULT 0,
    UNIQUE (client_code, id),
    CHECK (min_choices <= max_choices)
);

-- price_minor is what a choice adds to the item's price; it may be negative. available is the merchant's menu, sold_out is today's
-- kitchen, as with items.
CREATE TABLE option_choice (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    client_code    text NOT NULL,
    group_id       bigint NOT NULL,
    name           text NOT NULL CHECK (name <> '' AND length(name) <= 200),
    price_minor    bigint NOT NULL DEFAULT 0 CHECK (price_minor BETWEEN -99999999 AND 99999999),
    preset         boolean NOT NULL DEFAULT false,
    sold_out       boolean NOT NULL DEFAULT false,
    sold_out_until timestamptz, -- null: until somebody says otherwise
    available      boolean NOT NULL DEFAULT true,
    position       integer NOT NULL DEFAULT 0,
    UNIQUE (client_code, id),
    FOREIGN KEY (client_code, group_id) REFERENCES option_group (client_code, id) ON DELETE CASCADE
);
CREATE INDEX option_choice_group ON option_choice (client_code, group_id);

CREATE TABLE item_option_group (
    client_code text NOT NULL,
    item_id     bigint NOT NULL,
    group_id    bigint NOT NULL,
    position    integer NOT NULL DEFAULT 0,
    PRIMARY KEY (client_code, item_id, group_id),
    FOREIGN KEY (client_code, item_id) REFERENCES item (client_code, id) ON DELETE CASCADE,
    FOREIGN KEY (client_code, group_id) REFERENCES option_group (client_code, id) ON DELETE CASCADE
);
CREATE INDEX item_option_group_group ON item_option_group (client_code, group_id);

-- Whether something that the kitchen switched off is off now.
-- +goose StatementBegin
CREATE FUNCTION sold_out_now(sold_out boolean, until timestamptz) RETURNS boolean LANGUAGE sql STABLE AS
$$ SELECT sold_out AND (until IS NULL OR until > now()) $$;
-- +goose StatementEnd

-- note_max is the longest note to the kitchen, 0 for none. An item may be free; an order may not.
ALTER TABLE item ADD COLUMN note_max integer NOT NULL DEFAULT 0 CONSTRAINT item_note_max_check CHECK (note_max BETWEEN 0 AND 140),
    DROP CONSTRAINT item_price_minor_check,
    ADD CONSTRAINT item_price_minor_check CHECK (price_minor BETWEEN 0 AND 99999999);

-- price_minor is the price of one with its options. options is what was chosen as it was then, in order: a list of objects with id,
-- group, name and price_minor. The checks are wider than before or hold for what a new column has, so no row need be read.
ALTER TABLE order_line ADD COLUMN options jsonb NOT NULL DEFAULT '[]', ADD COLUMN note text NOT NULL DEFAULT '',
    ADD CONSTRAINT order_line_options_check CHECK (jsonb_typeof(options) = 'array') NOT VALID,
    ADD CONSTRAINT order_line_note_check CHECK (length(note) <= 140) NOT VALID,
    DROP CONSTRAINT order_line_price_minor_check,
    ADD CONSTRAINT order_line_price_minor_check CHECK (price_minor >= 0) NOT VALID;

-- +goose Down
ALTER TABLE order_line DROP COLUMN options, DROP COLUMN note,
    DROP CONSTRAINT order_line_price_minor_check,
    ADD CONSTRAINT order_line_price_minor_check CHECK (price_minor > 0) NOT VALID;
ALTER TABLE item DROP COLUMN note_max,
    DROP CONSTRAINT item_price_minor_check,
    ADD CONSTRAINT item_price_minor_check CHECK (price_minor > 0 AND price_minor <= 99999999) NOT VALID;
DROP FUNCTION sold_out_now(boolean, timestamptz);
DROP TABLE item_option_group, option_choice, option_group;
