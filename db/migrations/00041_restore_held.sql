-- +goose Up

-- After a restore from whose gateway nobody can hear what it has not decided yet: transactions of the backup stay closed until
-- a person opens them, while those made since are paid.
ALTER TABLE restore ADD COLUMN held boolean NOT NULL DEFAULT false;
CREATE INDEX restore_held ON restore (id) WHERE held;

-- +goose Down
DROP INDEX restore_held;
ALTER TABLE restore DROP COLUMN held;
