-- +goose Up

-- The public keys of receipts that were signed before FORECOURT_SECRET was replaced. Their signatures stay valid. Each key is sealed, so that
-- writing to the database is not enough to add one.
CREATE TABLE receipt_key (
    public     bytea PRIMARY KEY CHECK (length(public) = 32),
    sealed     bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- +goose Down
DROP TABLE receipt_key;
