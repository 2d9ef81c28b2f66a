-- +goose Up

-- What an invoice of the business says.
ALTER TABLE client
    ADD COLUMN time_zone text NOT NULL DEFAULT 'Australia/Sydney', -- IANA name
    -- Only a business that is registered for GST may say that a price includes it.
    ADD COLUMN gst_included boolean NOT NULL DEFAULT false;

-- The customer as the gateway knows them, who may be somebody else than the form says.
ALTER TABLE attempt
    ADD COLUMN consumer_name text NOT NULL DEFAULT '',
    ADD COLUMN consumer_email text NOT NULL DEFAULT '';

-- The receipt of a paid transaction, with the business as it was when it was paid. It is made by the statement that records
-- the payment. Whoever has the token may read it.
CREATE TABLE receipt (
    transaction_id text PRIMARY KEY,
    client_code    text NOT NULL,
    token          text NOT NULL UNIQUE,
    business       text NOT NULL,
    merchant_mail  text NOT NULL, -- RCPT-09
    abn            text NOT NULL,
    gst_included   boolean NOT NULL,
    time_zone      text NOT NULL,
    descriptor     text NOT NULL, -- empty for payments from before there were receipts
    FOREIGN KEY (transaction_id, client_code) REFERENCES transaction (id, client_code) ON DELETE CASCADE
);

INSERT INTO receipt (transaction_id, client_code, token, business, merchant_mail, abn, gst_included, time_zone, descriptor)
SELECT t.id, t.client_code, replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
       coalesce(p.pl_name, c.name), coalesce(p.pl_merchant_email, c.mail), c.abn, c.gst_included, c.time_zone, ''
FROM transaction t
JOIN client c ON c.code = t.client_code
LEFT JOIN paylink p ON p.transaction_id = t.id
WHERE t.approved_attempt IS NOT NULL;

-- +goose Down
DROP TABLE receipt;
ALTER TABLE attempt DROP COLUMN consumer_name, DROP COLUMN consumer_email;
ALTER TABLE client DROP COLUMN time_zone, DROP COLUMN gst_included;
