-- +goose Up

-- A decision on a payment that its gateway does not confirm. It counts once a second person of the staff confirms it, and goes with the
-- decision. Another proposal takes its place and the next version.
CREATE TABLE proposal (
    attempt_id  uuid PRIMARY KEY REFERENCES attempt (id) ON DELETE CASCADE,
    version     integer NOT NULL DEFAULT 1,
    decision    text NOT NULL CHECK (decision IN ('approved', 'given_back', 'not_charged')),
    reason      text NOT NULL CHECK (reason <> ''),
    proposed_by text NOT NULL,
    proposed_at timestamptz NOT NULL DEFAULT now()
);

-- +goose Down
DROP TABLE proposal;
