-- +goose Up

-- One saved text, in pages of 800,000 characters. Versions are only added and removed; a document shows one of them.
CREATE TABLE document_version (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    pages      integer NOT NULL DEFAULT 0 CHECK (pages >= 0),
    characters bigint NOT NULL DEFAULT 0,
    bytes      bigint NOT NULL DEFAULT 0,
    saved_at   timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE document (
    id         text PRIMARY KEY CHECK (id ~ '^[a-z0-9][a-z0-9._-]{0,99}$'),
    version_id bigint NOT NULL UNIQUE REFERENCES document_version (id)
);

CREATE TABLE document_page (
    version_id bigint NOT NULL REFERENCES document_version (id) ON DELETE CASCADE,
    n          integer NOT NULL CHECK (n >= 0),
    content    text NOT NULL CHECK (content <> '' AND length(content) <= 800000),
    PRIMARY KEY (version_id, n)
);

-- +goose Down
DROP TABLE document_page, document, document_version;
