-- +goose Up

-- A transaction without order lines that a merchant sent as a link, with the trading name it was sent under and the
-- address that the merchant's receipt goes to, as both were then.
CREATE TABLE paylink (
    transaction_id    text PRIMARY KEY,
    client_code       text NOT NULL,
    pl_name           text NOT NULL CHECK (pl_name <> ''),
    pl_merchant_email text NOT NULL,
    FOREIGN KEY (transaction_id, client_code) REFERENCES transaction (id, client_code) ON DELETE CASCADE
);

CREATE INDEX paylink_client ON paylink (client_code);

-- +goose Down
DROP TABLE paylink;
