-- +goose Up

-- The fingerprint of the secret to which the database belongs: a keyed hash from which nobody learns the secret.
CREATE TABLE secret_fingerprint (
    only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    fingerprint text NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{16}$'),
    since       timestamptz NOT NULL DEFAULT now()
);

-- +goose Down
DROP TABLE secret_fingerprint;
