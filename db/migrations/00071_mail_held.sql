-- +goose Up

-- A letter that stays in the outbox: no mail server ever gets it.
ALTER TABLE mail ADD COLUMN held boolean NOT NULL DEFAULT false;

-- +goose Down
ALTER TABLE mail DROP COLUMN held;
