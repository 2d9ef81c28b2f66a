-- +goose Up

-- Pictures that staff uploaded for the slides of the start page, encoded like those of a shop. site_slide.picture holds the address of one,
-- /picture/HASH, or the name of an asset. One that no slide shows goes a week after it was added, with the next upload.
CREATE TABLE site_picture (
    hash     text PRIMARY KEY CHECK (hash ~ '^[0-9a-f]{32}$'),
    small    bytea NOT NULL,
    large    bytea NOT NULL,
    added_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE site_picture ALTER COLUMN small SET STORAGE EXTERNAL, ALTER COLUMN large SET STORAGE EXTERNAL; -- they do not compress

-- +goose Down
DROP TABLE site_picture;
