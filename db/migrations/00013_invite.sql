-- +goose Up

-- A list of invited users. Where its row is gone, so are its users, and no link of it leads anywhere (TOKEN-13).
CREATE TABLE security_document (
    id text PRIMARY KEY CHECK (id <> '')
);

INSERT INTO security_document (id) VALUES ('batchProcessAPI');

-- An invited user: the link, what has to be known beside it, and the token that came of it. Of secrets there are hashes
-- alone.
CREATE TABLE invite (
    doc_id             text PRIMARY KEY CHECK (doc_id ~ '^[A-Za-z0-9_-]{8,64}$'),
    document           text NOT NULL DEFAULT 'batchProcessAPI' REFERENCES security_document (id) ON DELETE CASCADE,
    user_index         bigint NOT NULL GENERATED ALWAYS AS IDENTITY (MINVALUE 0 START WITH 0) UNIQUE,
    client_code        text NOT NULL REFERENCES client (code) ON DELETE CASCADE, -- what the token works for
    email              text NOT NULL CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
    secret_key_hash    text NOT NULL,
    password_hash      text,
    token_hash         bytea UNIQUE CHECK (length(token_hash) = 32),
    is_token_generated boolean NOT NULL GENERATED ALWAYS AS (token_hash IS NOT NULL) STORED,
    token_created_at   timestamptz,
    created_at         timestamptz NOT NULL DEFAULT now(),
    expires_at         timestamptz NOT NULL, -- of the link; a token lives until it is revoked
    revoked_at         timestamptz,
    last_used_at       timestamptz, -- of the token
    last_used_address  text NOT NULL DEFAULT '',
    CHECK ((token_hash IS NULL) = (token_created_at IS NULL)),
    CHECK ((token_hash IS NULL) = (password_hash IS NULL))
);

CREATE INDEX invite_client ON invite (client_code);

-- +goose Down
DROP TABLE invite, security_document;
