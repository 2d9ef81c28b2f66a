-- +goose Up

-- What the gateway said, in words, when a decision was proposed: the confirmation counts while it says the same. It replaces moved.
ALTER TABLE proposal ADD COLUMN says text NOT NULL DEFAULT '';

-- A payout that somebody accepted as it is, and the figures of another payout with its id, as text.
ALTER TABLE payout ADD COLUMN accepted_at timestamptz, ADD COLUMN repeated text NOT NULL DEFAULT '';
CREATE INDEX payout_repeated ON payout (paid_at) WHERE repeated <> '';

-- +goose Down
ALTER TABLE payout DROP COLUMN repeated, DROP COLUMN accepted_at;
ALTER TABLE proposal DROP COLUMN says;
