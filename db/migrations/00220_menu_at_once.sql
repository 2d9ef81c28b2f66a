-- +goose Up

-- Menus are published at once. One that waits for its time is dropped: it was a copy of the draft, which stays. due_at stays while programs
-- of the version before read it.
DELETE FROM menu_version WHERE published_at IS NULL;
-- +goose StatementBegin
DO $$ BEGIN
    IF to_regclass('river_job') IS NOT NULL THEN -- a new database does not have it yet
        DELETE FROM river_job WHERE kind = 'menus' AND state <> 'running';
    END IF;
END $$;
-- +goose StatementEnd
DROP INDEX menu_version_due;
ALTER TABLE menu_version ALTER COLUMN published_at SET NOT NULL;

-- +goose Down
ALTER TABLE menu_version ALTER COLUMN published_at DROP NOT NULL;
CREATE INDEX menu_version_due ON menu_version (due_at) WHERE published_at IS NULL;
