-- +goose NO TRANSACTION
-- +goose Up

-- What the desk says of a pay link: when a payer first opened it, when the business ended it, and to whom it was last mailed.
ALTER TABLE paylink
    ADD COLUMN IF NOT EXISTS opened_at timestamptz,
    ADD COLUMN IF NOT EXISTS ended_at timestamptz,
    ADD COLUMN IF NOT EXISTS mailed_at timestamptz,
    ADD COLUMN IF NOT EXISTS payer_mail text NOT NULL DEFAULT '';

-- The newest pay links of a business first. Making the index may take as long as it takes, as in 00027.
SELECT set_config(name, '0', false) FROM pg_catalog.pg_settings
WHERE name IN ('statement_timeout', 'lock_timeout') AND source = 'client';

DROP INDEX CONCURRENTLY IF EXISTS transaction_link;
CREATE INDEX CONCURRENTLY transaction_link ON transaction (client_code, created_at DESC, id DESC) WHERE kind = 'link';

RESET lock_timeout;
RESET statement_timeout;

-- +goose Down
DROP INDEX transaction_link;
ALTER TABLE paylink DROP COLUMN opened_at, DROP COLUMN ended_at, DROP COLUMN mailed_at, DROP COLUMN payer_mail;
