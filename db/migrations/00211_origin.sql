-- +goose NO TRANSACTION
-- +goose Up

-- The request in which an attempt or a refund began, and its trace as a W3C traceparent: the sweep that ends it later goes on with both.
-- Empty for none, and in rows from before this was kept. Each statement waits for its own table alone, as in 00060.
ALTER TABLE attempt ADD COLUMN IF NOT EXISTS request text NOT NULL DEFAULT '', ADD COLUMN IF NOT EXISTS trace text NOT NULL DEFAULT '';
ALTER TABLE refund ADD COLUMN IF NOT EXISTS request text NOT NULL DEFAULT '', ADD COLUMN IF NOT EXISTS trace text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE refund DROP COLUMN trace, DROP COLUMN request;
ALTER TABLE attempt DROP COLUMN trace, DROP COLUMN request;
