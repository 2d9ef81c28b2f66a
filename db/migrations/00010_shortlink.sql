-- +goose Up

-- A short code and where it leads: an http(s) address, or a path of this site. A code is never given to anything else, for
-- it may be printed somewhere; hits are counted a moment after they happen.
CREATE TABLE shortlink (
    code       text PRIMARY KEY CHECK (code ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$'),
    url        text NOT NULL CHECK (url ~ '^(https?://[^/]|/([^/]|$))' AND url !~ '[[:cntrl:][:space:]\\]' AND length(url) <= 2000),
    expires_at timestamptz, -- null: never
    hits       bigint NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- +goose Down
DROP TABLE shortlink;
