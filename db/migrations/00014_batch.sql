-- +goose Up

-- Pay links that were made together, by the holder of a client's token.
CREATE TABLE batch (
    id           text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{22,36}$'),
    client_code  text NOT NULL REFERENCES client (code) ON DELETE CASCADE,
    key          text CHECK (length(key) BETWEEN 1 AND 255), -- Idempotency-Key; forgotten after a day
    content_hash bytea NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    UNIQUE (id, client_code),
    UNIQUE (client_code, key)
);

CREATE INDEX batch_key_age ON batch (created_at) WHERE key IS NOT NULL;

CREATE TABLE batch_row (
    batch_id       text NOT NULL,
    row_no         integer NOT NULL CHECK (row_no BETWEEN 1 AND 1000),
    client_code    text NOT NULL,
    transaction_id text NOT NULL,
    PRIMARY KEY (batch_id, row_no),
    FOREIGN KEY (batch_id, client_code) REFERENCES batch (id, client_code) ON DELETE CASCADE,
    FOREIGN KEY (transaction_id, client_code) REFERENCES transaction (id, client_code) ON DELETE CASCADE
);

CREATE INDEX batch_row_transaction ON batch_row (transaction_id);

-- +goose Down
DROP TABLE batch_row, batch;
