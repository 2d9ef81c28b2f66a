-- +goose Up

-- Whether floor staff see what was taken, which an owner may switch off.
ALTER TABLE shop ADD COLUMN floor_takings boolean NOT NULL DEFAULT true;

-- +goose Down
ALTER TABLE shop DROP COLUMN floor_takings;
