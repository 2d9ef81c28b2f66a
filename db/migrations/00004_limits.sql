-- +goose Up

-- Keyed hashes of the card and of where the payer came from, for the limits against card testing. Neither can be turned
-- back without the program's secret.
ALTER TABLE attempt
    ADD COLUMN card_hash    bytea,
    ADD COLUMN address_hash bytea;

CREATE INDEX attempt_declined_card ON attempt (card_hash, settled_at) WHERE state = 'declined' AND NOT test_mode;
CREATE INDEX attempt_declined_address ON attempt (address_hash, settled_at) WHERE state = 'declined' AND NOT test_mode;
CREATE INDEX attempt_settled_client ON attempt (client_code, settled_at) WHERE NOT test_mode;

-- +goose Down
ALTER TABLE attempt DROP COLUMN card_hash, DROP COLUMN address_hash;
