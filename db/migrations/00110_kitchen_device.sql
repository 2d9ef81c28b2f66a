-- +goose Up

-- A screen in a kitchen that needs no account. Its link works once and is exchanged for a cookie; both are stored as hashes. A device
-- that was ended stays, so that its screen can say so.
CREATE TABLE kitchen_device (
    id          uuid PRIMARY KEY,
    client_code text NOT NULL REFERENCES client (code) ON DELETE CASCADE,
    name        text NOT NULL CHECK (name <> '' AND length(name) <= 40),
    link_hash   bytea UNIQUE CHECK (length(link_hash) = 32), -- NULL once it was opened
    link_until  timestamptz NOT NULL,
    cookie_hash bytea UNIQUE CHECK (length(cookie_hash) = 32), -- NULL until then
    made_by     uuid REFERENCES account (id) ON DELETE SET NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    opened_at   timestamptz,
    seen_at     timestamptz,
    ended_at    timestamptz,
    CHECK ((cookie_hash IS NULL) = (opened_at IS NULL))
);

CREATE INDEX kitchen_device_client ON kitchen_device (client_code);
CREATE INDEX kitchen_device_by ON kitchen_device (made_by);

-- +goose Down
DROP TABLE kitchen_device;
