-- +goose Up

-- A browser that wants to hear when an order is ready. Whoever holds its token may change it, so the token itself is not kept:
-- key is its SHA-256 in hex, here and in transaction.push_token.
CREATE TABLE push_registration (
    key          text PRIMARY KEY CHECK (key ~ '^[0-9a-f]{64}$'),
    endpoint     text NOT NULL CHECK (length(endpoint) <= 1024),
    auth         text NOT NULL CHECK (length(auth) <= 32),
    p256dh       text NOT NULL CHECK (length(p256dh) <= 100),
    created_at   timestamptz NOT NULL DEFAULT now(),
    refreshed_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX push_registration_age ON push_registration (refreshed_at);

-- +goose Down
DROP TABLE push_registration;
