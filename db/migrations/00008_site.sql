-- +goose Up

-- The entries of the main bar: those with an address in old_site are shown (DOC-01, NAV-09).
CREATE TABLE site_nav (
    id       text PRIMARY KEY CHECK (id ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
    name     text NOT NULL CHECK (name <> ''),
    old_site text NOT NULL DEFAULT '' CHECK (old_site = '' OR old_site ~ '^(https?://[^/]|/$|/[^/\\])'),
    position integer NOT NULL
);

-- The cards of the start page's carousel (LAND-02).
CREATE TABLE site_slide (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    title     text NOT NULL CHECK (title <> ''),
    sub_title text NOT NULL DEFAULT '',
    position  integer NOT NULL
);

INSERT INTO site_nav (id, name, old_site, position) VALUES
    ('product', 'Product', '/#product', 1),
    ('guides', 'Guides', '/docs', 2),
    ('news', 'News', '', 3),
    ('contact', 'Contact', '/#contact', 4);

INSERT INTO site_slide (title, sub_title, position) VALUES
    ('Guests order from their seat', 'One code on the table opens the menu. No app, no account, no waiting for the bill.', 1),
    ('Charged once, or not at all', 'A lost connection or a second tap never takes the money twice, and the page always says how it stands.', 2),
    ('The kitchen sees it first', 'Paid orders arrive sorted by where they are made, and guests hear when theirs is ready.', 3),
    ('Try all of it today', 'The sandbox behaves like the real thing, down to the declines. Nothing to sign, nothing charged.', 4);

-- +goose Down
DROP TABLE site_slide, site_nav;
