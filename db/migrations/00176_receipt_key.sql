-- +goose Up

-- The public keys of receipts that were signed before FORECOURT_SECRET was replaced. Their signatures stay valid. Each is sealed for itself,
-- so that nobody adds one who can write to the database alone.
CREATE TABLE receipt_key (
    public     bytea PRIMARY KEY CHECK (length(public) = 32),
    sealed     bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- +goose Down
DROP TABLE receipt_key;
