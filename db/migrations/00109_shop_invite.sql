-- +goose Up

-- A mailed link that brings its reader onto a shop's team, once. It stays after its use, to say that it was used.
CREATE TABLE shop_invite (
    id          uuid PRIMARY KEY,
    client_code text NOT NULL REFERENCES client (code) ON DELETE CASCADE,
    email       text NOT NULL CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
    role        text NOT NULL CHECK (role IN ('owner', 'manager', 'floor', 'viewer')),
    token_hash  bytea UNIQUE CHECK (length(token_hash) = 32), -- made with the letter
    invited_by  uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    created_at  timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL,
    used_at     timestamptz,
    UNIQUE (client_code, email)
);

CREATE INDEX shop_invite_by ON shop_invite (invited_by);

-- +goose Down
DROP TABLE shop_invite;
