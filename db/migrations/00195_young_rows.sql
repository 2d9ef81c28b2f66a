-- +goose Up

-- The rows of an order change a few times within minutes, so on a busy day most dead rows are young. PostgreSQL's default would let a fifth of a
-- table be dead before it cleans up. None of these statements locks readers or writers out.
ALTER TABLE transaction SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE attempt SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE order_line SET (autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE client_event SET (autovacuum_vacuum_scale_factor = 0.05);

-- +goose Down
ALTER TABLE client_event RESET (autovacuum_vacuum_scale_factor);
ALTER TABLE order_line RESET (autovacuum_vacuum_scale_factor);
ALTER TABLE attempt RESET (autovacuum_vacuum_scale_factor);
ALTER TABLE transaction RESET (autovacuum_vacuum_scale_factor);
