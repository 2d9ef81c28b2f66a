-- +goose Up

-- What a shop's owners asked of staff: to take real payments. One row per shop, for as long as it exists; the audit has its history.
CREATE TABLE go_live (
    client_code text PRIMARY KEY REFERENCES client (code) ON DELETE CASCADE,
    state       text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'returned', 'approved')),
    asked_by    text NOT NULL,
    asked_at    timestamptz NOT NULL DEFAULT now(),
    reason      text NOT NULL DEFAULT '' CHECK (length(reason) <= 2000), -- what staff asked for, or why the shop went back to test mode
    decided_by  text NOT NULL DEFAULT '',
    revision    integer NOT NULL DEFAULT 0, -- goes up with each change, so that a decision is on what was looked at
    CONSTRAINT go_live_returned_has_reason CHECK (state <> 'returned' OR reason <> '')
);

CREATE INDEX go_live_queue ON go_live (state, asked_at);

-- A shop that takes real payments already was switched by the operator.
INSERT INTO go_live (client_code, state, asked_by, decided_by) SELECT code, 'approved', 'operator', 'operator' FROM client WHERE live;

-- +goose Down
DROP TABLE go_live;
