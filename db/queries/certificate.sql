-- name: CertificateFilePut :exec
INSERT INTO certificate_file (key, sealed) VALUES ($1, $2)
ON CONFLICT (key) DO UPDATE SET sealed = excluded.sealed, changed_at = now();

-- name: CertificateFileGet :one
SELECT sealed, changed_at FROM certificate_file WHERE key = $1;

-- name: CertificateFileDrop :exec
-- Deletes a file, or every file of a folder.
DELETE FROM certificate_file WHERE key = @key OR starts_with(key, @key || '/');

-- name: CertificateFileList :many
-- Lists the files of a folder and those below it; '' lists all.
SELECT key, sealed FROM certificate_file WHERE @folder::text = '' OR starts_with(key, @folder || '/') ORDER BY key;

-- name: CertificateLock :execrows
-- Takes a lock that is free or expired, or extends one's own, for some seconds. Zero rows: somebody else holds it.
INSERT INTO certificate_lock (name, holder, ends_at) VALUES (@name, @holder, now() + make_interval(secs => @seconds))
ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, ends_at = excluded.ends_at
WHERE certificate_lock.ends_at < now() OR certificate_lock.holder = excluded.holder;

-- name: CertificateUnlock :exec
DELETE FROM certificate_lock WHERE name = $1 AND holder = $2;
