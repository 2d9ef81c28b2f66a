-- +goose Up
-- Whether the password, when it was last typed, was shorter than a person may have who takes a business live.
ALTER TABLE account ADD COLUMN short_password boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE account DROP COLUMN short_password;
