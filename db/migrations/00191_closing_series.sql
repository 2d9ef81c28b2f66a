-- +goose Up

-- A closing that was made after the backup which a restore put back is forgotten, and its number is given to another. The series keeps
-- their papers apart: the moment of the last restore, '' before the first.
ALTER TABLE closing ADD COLUMN series text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE closing DROP COLUMN series;
