-- name: DocumentVersionCreate :one
INSERT INTO document_version DEFAULT VALUES RETURNING id;

-- name: DocumentPageAdd :exec
INSERT INTO document_page (version_id, n, content) VALUES (@version_id, @n, @content);

-- name: DocumentVersionClose :one
-- Stores the size of a version after its last page.
UPDATE document_version SET pages = @pages, characters = @characters, bytes = @bytes WHERE id = @id RETURNING *;

-- name: DocumentCreate :execrows
-- Zero rows: the document exists.
INSERT INTO document (id, version_id) VALUES (@id, @version_id) ON CONFLICT (id) DO NOTHING;

-- name: DocumentLock :one
-- Returns the version that a document shows, and locks the document until the transaction ends.
SELECT version_id FROM document WHERE id = $1 FOR UPDATE;

-- name: DocumentSwitch :exec
-- Readers see the new version from the commit on.
UPDATE document SET version_id = @version_id WHERE id = @id;

-- name: DocumentVersionDelete :exec
DELETE FROM document_version WHERE id = $1;

-- name: DocumentGet :one
SELECT v.* FROM document d JOIN document_version v ON v.id = d.version_id WHERE d.id = $1;

-- name: DocumentPageGet :one
-- DOC-15: page n of the version that a document shows, counted from 0.
SELECT content FROM document_page WHERE version_id = @version_id AND n = @n;

-- name: DocumentList :many
SELECT d.id AS document_id, v.* FROM document d JOIN document_version v ON v.id = d.version_id ORDER BY d.id;

-- name: DocumentDelete :one
DELETE FROM document WHERE id = $1 RETURNING version_id;
