-- +goose Up

-- The menu as its editors last left it: one document of package menu. A shop whose menu was never edited has no row.
CREATE TABLE menu_draft (
    client_code text PRIMARY KEY REFERENCES client (code) ON DELETE CASCADE,
    revision    bigint NOT NULL, -- grows by one with every change
    body        jsonb NOT NULL,
    changed_at  timestamptz NOT NULL DEFAULT now(),
    changed_by  text NOT NULL
);

-- Each menu that guests have seen, and those that wait for their time. What guests see now is in category, item and option_group; what the
-- menu no longer has stays there, hidden, because orders refer to it.
CREATE TABLE menu_version (
    client_code  text NOT NULL REFERENCES client (code) ON DELETE CASCADE,
    no           integer NOT NULL,
    body         jsonb NOT NULL,
    made_at      timestamptz NOT NULL DEFAULT now(),
    made_by      text NOT NULL, -- '' for what was there before the first version
    origin       text NOT NULL DEFAULT '', -- how it came about, if not from the draft: 'import', 'version 3'
    due_at       timestamptz, -- when it is to be published; null: at once
    published_at timestamptz, -- null while it waits
    PRIMARY KEY (client_code, no),
    CHECK (published_at IS NOT NULL OR due_at IS NOT NULL)
);
CREATE INDEX menu_version_due ON menu_version (due_at) WHERE published_at IS NULL;

-- +goose Down
DROP TABLE menu_version, menu_draft;
