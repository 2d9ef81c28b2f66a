-- +goose Up

-- Why somebody gave money back, for the business; a payer does not read it.
ALTER TABLE refund ADD COLUMN reason text NOT NULL DEFAULT '' CHECK (length(reason) <= 500);

-- The lines of an order that a refund was worked out from. A refund of an amount has none.
CREATE TABLE refund_line (
    refund_id      uuid NOT NULL REFERENCES refund (id) ON DELETE CASCADE,
    transaction_id text NOT NULL,
    line_no        integer NOT NULL,
    qty            integer NOT NULL CHECK (qty > 0),
    PRIMARY KEY (refund_id, line_no),
    FOREIGN KEY (transaction_id, line_no) REFERENCES order_line (transaction_id, line_no) ON DELETE CASCADE
);

CREATE INDEX refund_line_of ON refund_line (transaction_id, line_no);

-- The most that somebody of a role may give back of one payment, in minor units; null is no limit. A role without a row has
-- the ceiling of shop.Ceilings.Of.
CREATE TABLE refund_ceiling (
    client_code text NOT NULL REFERENCES client (code) ON DELETE CASCADE,
    role        text NOT NULL CHECK (role IN ('owner', 'manager', 'floor')),
    most_minor  bigint CHECK (most_minor BETWEEN 0 AND 99999999),
    PRIMARY KEY (client_code, role)
);

-- +goose Down
DROP TABLE refund_ceiling;
DROP TABLE refund_line;
ALTER TABLE refund DROP COLUMN reason;
