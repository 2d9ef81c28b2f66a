-- +goose Up

-- A live business that asks for it takes no orders while no kitchen screen has looked for 10 minutes.
ALTER TABLE client ADD COLUMN needs_kitchen boolean NOT NULL DEFAULT false;

-- When a kitchen screen of a business last looked.
CREATE TABLE kitchen_screen (
    client_code text PRIMARY KEY REFERENCES client (code) ON DELETE CASCADE,
    seen_at     timestamptz NOT NULL DEFAULT now()
);

-- What a kitchen has still to make, and what it made last.
CREATE INDEX transaction_kitchen ON transaction (client_code, paid_at) WHERE status = 'success';
CREATE INDEX order_line_done ON order_line (client_code, done_at) WHERE status = 'done';

-- +goose Down
DROP INDEX order_line_done, transaction_kitchen;
DROP TABLE kitchen_screen;
ALTER TABLE client DROP COLUMN needs_kitchen;
