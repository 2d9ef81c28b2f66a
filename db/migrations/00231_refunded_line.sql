-- +goose Up
SET LOCAL statement_timeout = 0; -- every refunded order is looked at

-- How many of a line were refunded, by refunds that are done. A refund of the whole payment is one of each line.
ALTER TABLE order_line ADD COLUMN refunded_qty integer NOT NULL DEFAULT 0,
    ADD CONSTRAINT order_line_refunded_qty_check CHECK (refunded_qty BETWEEN 0 AND qty) NOT VALID;

-- What is refunded is not made: a line of which nothing is left to make is cancelled.
-- +goose StatementBegin
CREATE FUNCTION order_refund(trx text) RETURNS void LANGUAGE sql AS $$
    UPDATE order_line SET refunded_qty = n.qty,
        status = CASE WHEN order_line.status = 'open' AND n.qty = order_line.qty THEN 'cancelled' ELSE order_line.status END
    FROM (
        SELECT l.line_no, CASE
            WHEN (SELECT sum(r.amount_minor) FROM refund r WHERE r.transaction_id = trx AND r.state = 'done' AND r.attempt_id IS NULL)
                >= coalesce(t.captured_minor, t.amount_minor) THEN l.qty
            ELSE least(l.qty, (SELECT coalesce(sum(x.qty), 0) FROM refund_line x JOIN refund r ON r.id = x.refund_id -- one may be made after a decline
                WHERE x.transaction_id = trx AND x.line_no = l.line_no AND r.state = 'done')::int) END AS qty
        FROM order_line l JOIN transaction t ON t.id = l.transaction_id WHERE l.transaction_id = trx
    ) n
    WHERE order_line.transaction_id = trx AND order_line.line_no = n.line_no AND order_line.refunded_qty <> n.qty
$$;
-- +goose StatementEnd

-- An order is completed when the kitchen has made what is left of it.
-- +goose StatementBegin
CREATE FUNCTION refund_unmakes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM order_refund(NEW.transaction_id);
    UPDATE transaction SET status = 'completed' WHERE transaction.id = NEW.transaction_id AND transaction.status = 'success'
        AND EXISTS (SELECT FROM order_line l WHERE l.transaction_id = NEW.transaction_id AND l.status = 'done')
        AND NOT EXISTS (SELECT FROM order_line l WHERE l.transaction_id = NEW.transaction_id AND l.status = 'open');
    RETURN NULL;
END $$;
-- +goose StatementEnd

CREATE TRIGGER refund_line_comes AFTER INSERT ON refund
    FOR EACH ROW WHEN (NEW.state = 'done' AND NEW.attempt_id IS NULL) EXECUTE FUNCTION refund_unmakes();
CREATE TRIGGER refund_line_ends AFTER UPDATE OF state, attempt_id ON refund
    FOR EACH ROW WHEN (NEW.state = 'done' AND NEW.attempt_id IS NULL) EXECUTE FUNCTION refund_unmakes();

SELECT order_refund(r.transaction_id)
FROM (SELECT DISTINCT refund.transaction_id FROM refund WHERE refund.state = 'done' AND refund.attempt_id IS NULL) r;

-- +goose Down
DROP TRIGGER refund_line_ends ON refund;
DROP TRIGGER refund_line_comes ON refund;
DROP FUNCTION refund_unmakes();
DROP FUNCTION order_refund(text);
ALTER TABLE order_line DROP COLUMN refunded_qty;
