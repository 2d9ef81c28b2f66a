-- +goose Up

-- The link that makes the first staff account; a newer one takes its place.
CREATE TABLE first_staff (
    only_one   boolean PRIMARY KEY DEFAULT true CHECK (only_one),
    token_hash bytea NOT NULL,
    expires_at timestamptz NOT NULL
);

-- +goose Down
DROP TABLE first_staff;
