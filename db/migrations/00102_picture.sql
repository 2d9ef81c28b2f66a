-- +goose Up

-- Pictures of a shop, encoded by the program in two sizes: its logo and those of its items. hash names the content, so what is served
-- at an address never changes; two shops that upload the same file have a row each. client.logo, item.picture and order_line.picture
-- hold either the address of one, /picture/HASH, or the name of an asset.
CREATE TABLE picture (
    hash         text NOT NULL CHECK (hash ~ '^[0-9a-f]{32}$'),
    client_code  text NOT NULL REFERENCES client (code) ON DELETE CASCADE,
    small        bytea NOT NULL,
    large        bytea NOT NULL,
    bytes        integer GENERATED ALWAYS AS (octet_length(small) + octet_length(large)) STORED,
    added_at     timestamptz NOT NULL DEFAULT now(),
    unused_since timestamptz, -- when forecourt retention first found that nothing shows it
    PRIMARY KEY (hash, client_code)
);
ALTER TABLE picture ALTER COLUMN small SET STORAGE EXTERNAL, ALTER COLUMN large SET STORAGE EXTERNAL; -- they do not compress
CREATE INDEX picture_client ON picture (client_code);

-- +goose Down
DROP TABLE picture;
