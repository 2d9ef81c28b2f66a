-- +goose Up

-- The paylink password of a gateway account is sealed. A program seals what an earlier version wrote as text when it starts, and
-- empties the old column; the version before never reads it.
ALTER TABLE client_account
    ADD COLUMN pwd_sealed bytea,
    ADD COLUMN set_by     text NOT NULL DEFAULT '',
    ADD COLUMN set_at     timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN tried_at   timestamptz, -- when the gateway last accepted it
    ALTER COLUMN paylink_pwd SET DEFAULT '';

-- +goose Down
ALTER TABLE client_account
    ALTER COLUMN paylink_pwd DROP DEFAULT,
    DROP COLUMN tried_at,
    DROP COLUMN set_at,
    DROP COLUMN set_by,
    DROP COLUMN pwd_sealed;
