-- +goose Up

-- A refund of a capture in another currency than was asked for. The books cannot hold such a capture, so it is only given back, all
-- of it: nothing is reserved on the transaction, and the attempt ends as not charged once it is done. Null is a refund of what the
-- transaction was paid with.
ALTER TABLE refund ADD COLUMN attempt_id uuid REFERENCES attempt (id);

-- +goose Down
DELETE FROM refund WHERE attempt_id IS NOT NULL;
ALTER TABLE refund DROP COLUMN attempt_id;
