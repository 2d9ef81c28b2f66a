-- +goose Up

-- What a person may do in a shop. Who ran one before did everything, and the version before inserts without a role.
ALTER TABLE client_admin
    ADD COLUMN role text NOT NULL DEFAULT 'owner' CHECK (role IN ('owner', 'manager', 'floor', 'viewer')),
    ADD COLUMN joined_at timestamptz NOT NULL DEFAULT now();

-- +goose Down
ALTER TABLE client_admin DROP COLUMN joined_at, DROP COLUMN role;
