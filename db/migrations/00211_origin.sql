-- +goose Up

-- The request in which an attempt or a refund began, and its trace as a W3C traceparent: the sweep that ends it later goes on with both.
-- Empty for none, and in rows from before this was kept.
ALTER TABLE attempt ADD COLUMN request text NOT NULL DEFAULT '', ADD COLUMN trace text NOT NULL DEFAULT '';
ALTER TABLE refund ADD COLUMN request text NOT NULL DEFAULT '', ADD COLUMN trace text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE refund DROP COLUMN trace, DROP COLUMN request;
ALTER TABLE attempt DROP COLUMN trace, DROP COLUMN request;
