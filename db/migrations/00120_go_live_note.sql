-- +goose Up

-- What the owners say to staff with their request, such as the answer to what staff asked.
ALTER TABLE go_live ADD COLUMN note text NOT NULL DEFAULT '' CHECK (length(note) <= 2000);

-- +goose Down
ALTER TABLE go_live DROP COLUMN note;
