-- Hashes of cards and addresses, empty since 00035_limits.sql. The next version's first migration drops them.
ALTER TABLE attempt DROP COLUMN card_hash, DROP COLUMN address_hash;

-- Replaced by says in 00093_said.sql.
ALTER TABLE proposal DROP COLUMN moved;

-- Replaced by limit_settle in 00094_waits.sql.
DROP FUNCTION limit_release;
