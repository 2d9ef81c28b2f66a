-- +goose Up

-- A copy of an account's data is made while it is downloaded, so none is kept. The version before still names data_copy and data_copy_part:
-- the next one drops them.
DELETE FROM data_copy;

-- +goose Down
SELECT 1;
