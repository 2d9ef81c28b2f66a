-- +goose Up

-- What somebody counted in the till when they closed the day, a note beside what is signed. Without a currency nothing was counted.
ALTER TABLE closing ADD COLUMN cash_minor bigint NOT NULL DEFAULT 0, ADD COLUMN cash_currency text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE closing DROP COLUMN cash_minor, DROP COLUMN cash_currency;
