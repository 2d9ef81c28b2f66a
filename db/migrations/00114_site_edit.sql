-- +goose Up

-- Staff edit the navigation and the slides. The revision grows with each change, so that an editor notices another's.
ALTER TABLE site_nav ADD COLUMN revision integer NOT NULL DEFAULT 1;
ALTER TABLE site_slide ADD COLUMN revision integer NOT NULL DEFAULT 1;

-- The name of a picture of the program; empty for none.
ALTER TABLE site_slide ADD COLUMN picture text NOT NULL DEFAULT '' CHECK (length(picture) <= 100);

-- +goose Down
ALTER TABLE site_slide DROP COLUMN picture, DROP COLUMN revision;
ALTER TABLE site_nav DROP COLUMN revision;
