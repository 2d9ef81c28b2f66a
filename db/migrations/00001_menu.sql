-- +goose Up

-- A business that sells through /pos/{code}.
CREATE TABLE client (
    code         text PRIMARY KEY CHECK (code ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
    name         text NOT NULL CHECK (name <> ''),
    tagline      text NOT NULL DEFAULT '',
    live         boolean NOT NULL DEFAULT false,
    currency     text NOT NULL DEFAULT 'AUD' CHECK (currency ~ '^[A-Z]{3}$'),
    country_code text NOT NULL DEFAULT 'AU' CHECK (country_code ~ '^[A-Z]{2}$'),
    accent       text NOT NULL CHECK (accent ~ '^#[0-9a-f]{6}$'),
    logo         text NOT NULL DEFAULT '',
    abn          text NOT NULL DEFAULT '',
    mail         text NOT NULL DEFAULT '',
    pl_name      text NOT NULL DEFAULT '',
    pl_merchant_email text NOT NULL DEFAULT '', -- of pay links; orders use mail
    created_at   timestamptz NOT NULL DEFAULT now()
);

-- The gateway account of a business, one row for test and one for live payments.
CREATE TABLE client_account (
    client_code text NOT NULL REFERENCES client (code) ON DELETE CASCADE,
    live        boolean NOT NULL,
    paylink_mid text NOT NULL,
    paylink_pwd text NOT NULL,
    PRIMARY KEY (client_code, live)
);

CREATE TABLE category (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    client_code text NOT NULL REFERENCES client (code) ON DELETE CASCADE,
    name        text NOT NULL CHECK (name <> ''),
    position    integer NOT NULL,
    UNIQUE (client_code, name),
    UNIQUE (client_code, id)
);

-- available is the merchant's menu, sold_out is today's kitchen: the first hides an item, the second greys it.
CREATE TABLE item (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    client_code text NOT NULL REFERENCES client (code) ON DELETE CASCADE,
    category_id bigint NOT NULL,
    name        text NOT NULL CHECK (name <> ''),
    description text NOT NULL DEFAULT '',
    price_minor bigint NOT NULL CHECK (price_minor > 0 AND price_minor <= 99999999),
    picture     text NOT NULL DEFAULT '',
    loc         text NOT NULL CHECK (loc <> ''),
    available   boolean NOT NULL DEFAULT true,
    sold_out    boolean NOT NULL DEFAULT false,
    position    integer NOT NULL,
    UNIQUE (client_code, name),
    UNIQUE (client_code, id),
    FOREIGN KEY (client_code, category_id) REFERENCES category (client_code, id) ON DELETE CASCADE
);

CREATE INDEX item_category ON item (client_code, category_id);

-- +goose Down
DROP TABLE item, category, client_account, client;
