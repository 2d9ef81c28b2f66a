-- +goose Up

-- Where a shop is and how guests reach it, for its receipts. mail_receipts is whether a copy of each receipt goes to its mail; shops from
-- before have had them.
ALTER TABLE shop
    ADD COLUMN street text NOT NULL DEFAULT '' CHECK (length(street) <= 120),
    ADD COLUMN phone text NOT NULL DEFAULT '' CHECK (length(phone) <= 30),
    ADD COLUMN mail_receipts boolean NOT NULL DEFAULT true;

-- As they were at the payment; empty for receipts from before.
ALTER TABLE receipt ADD COLUMN street text NOT NULL DEFAULT '', ADD COLUMN phone text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE receipt DROP COLUMN street, DROP COLUMN phone;
ALTER TABLE shop DROP COLUMN street, DROP COLUMN phone, DROP COLUMN mail_receipts;
