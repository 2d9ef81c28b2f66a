-- +goose Up

-- The few rows that the program watches, among millions that nobody looks at again.
CREATE INDEX transaction_processing ON transaction (id) WHERE status = 'processing';
CREATE INDEX attempt_manual ON attempt (created_at) WHERE state = 'manual';

-- +goose Down
DROP INDEX transaction_processing, attempt_manual;
