-- +goose Up

-- One person decides a payment or a refund against its gateway, after seeing what it says: nothing waits for a second person any more. A
-- process of the version before cannot show its pages for these decisions once the table is gone; payments go on.
DROP TABLE proposal;

-- +goose Down
CREATE TABLE proposal (
    attempt_id    uuid PRIMARY KEY,
    version       integer NOT NULL DEFAULT 1,
    decision      text NOT NULL CHECK (decision IN ('approved', 'given_back', 'not_charged', 'done', 'declined')),
    reason        text NOT NULL CHECK (reason <> ''),
    proposed_by   text NOT NULL,
    proposed_at   timestamptz NOT NULL DEFAULT now(),
    transactionid text NOT NULL DEFAULT '',
    says          text NOT NULL DEFAULT ''
);
