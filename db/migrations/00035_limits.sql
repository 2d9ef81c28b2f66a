-- +goose NO TRANSACTION
-- +goose Up

-- What the limits against card testing count, for an hour: one row for each address that live payments came from. Neither table is in
-- the write-ahead log, in a backup or on a standby, and a crash empties both. The row of no address holds the key of the day that
-- addresses and cards are hashed with. Of a card there are ten bits: enough to tell a few cards of one address apart, and far
-- too few to find its number, with that key and its first six and last four digits in hand.
CREATE UNLOGGED TABLE IF NOT EXISTS limit_address (
    address  bytea PRIMARY KEY,
    secret   bytea CHECK ((secret IS NOT NULL) = (address = '\x')),
    since    timestamptz NOT NULL DEFAULT now(), -- the hour's begin; of the key: the day's
    open     integer NOT NULL DEFAULT 0,         -- payments that are not decided yet, which count as declined until they are
    declined integer NOT NULL DEFAULT 0,
    approved integer NOT NULL DEFAULT 0,
    cards    smallint[] NOT NULL DEFAULT '{}',   -- of payments that are open or declined
    clients  text[] NOT NULL DEFAULT '{}'        -- businesses that had a decline from here
);

-- Which address an open payment counts for, so that whoever settles it can give back what it counts.
CREATE UNLOGGED TABLE IF NOT EXISTS limit_try (
    attempt uuid PRIMARY KEY,
    address bytea NOT NULL,
    card    smallint NOT NULL,
    since   timestamptz NOT NULL DEFAULT now()
);

-- Takes one card out of several.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION limit_without(cards smallint[], card smallint) RETURNS smallint[] LANGUAGE sql IMMUTABLE AS $$
    SELECT coalesce(cards[:array_position(cards, card) - 1] || cards[array_position(cards, card) + 1:], cards)
$$;
-- +goose StatementEnd

-- What attempts kept instead: hashes of cards, whose key is in each backup, too. A program of the version before goes on naming both
-- columns, so they go with the next version; from now on they are empty.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION attempt_forget_hashes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.card_hash := NULL;
    NEW.address_hash := NULL;
    RETURN NEW;
END $$;
-- +goose StatementEnd

DROP TRIGGER IF EXISTS attempt_hashes ON attempt;
CREATE TRIGGER attempt_hashes BEFORE INSERT ON attempt
    FOR EACH ROW WHEN (NEW.card_hash IS NOT NULL OR NEW.address_hash IS NOT NULL) EXECUTE FUNCTION attempt_forget_hashes();

-- A connection that is a pooler's is somebody else's next, so both timeouts go back to what they were.
SELECT set_config(name, '0', false) FROM pg_catalog.pg_settings
WHERE name IN ('statement_timeout', 'lock_timeout') AND source = 'client';
DROP INDEX CONCURRENTLY IF EXISTS attempt_declined_card;
DROP INDEX CONCURRENTLY IF EXISTS attempt_declined_address;
UPDATE attempt SET card_hash = NULL, address_hash = NULL WHERE card_hash IS NOT NULL OR address_hash IS NOT NULL;
VACUUM attempt;
RESET lock_timeout;
RESET statement_timeout;

-- +goose Down
CREATE INDEX attempt_declined_card ON attempt (card_hash, settled_at) WHERE state = 'declined' AND NOT test_mode;
CREATE INDEX attempt_declined_address ON attempt (address_hash, settled_at) WHERE state = 'declined' AND NOT test_mode;
DROP TRIGGER attempt_hashes ON attempt;
DROP FUNCTION attempt_forget_hashes;
DROP FUNCTION limit_without;
DROP TABLE limit_try, limit_address;
