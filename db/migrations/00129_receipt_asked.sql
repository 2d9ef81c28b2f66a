-- +goose Up

-- The address that a payer who left none at the payment named on the receipt's page. It is named once: a page that took another one
-- each time would mail strangers.
ALTER TABLE receipt ADD COLUMN asked_mail text CHECK (asked_mail <> '' AND octet_length(asked_mail) <= 254);

-- +goose Down
ALTER TABLE receipt DROP COLUMN asked_mail;
