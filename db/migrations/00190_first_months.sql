-- +goose Up
-- Makes the audit's first months before the first line is written. Moving lines from audit_rest into a month while the program
-- serves hides them from a reader whose snapshot is older than the move.
SELECT audit_make_month(now() + make_interval(months => ahead)) FROM generate_series(0, 3) ahead;

-- +goose Down
SELECT 1;
