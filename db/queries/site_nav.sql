-- name: SiteNavList :many
SELECT id, name, old_site AS url, revision FROM site_nav ORDER BY position, id;

-- name: SiteNavLock :many
-- The ids of the entries in their order, locked until the transaction ends.
SELECT id FROM site_nav ORDER BY position, id FOR UPDATE;

-- name: SiteNavAdd :exec
-- Adds an entry after the last one.
INSERT INTO site_nav (id, name, old_site, position)
SELECT @id::text, @name::text, @old_site::text, coalesce(max(position), 0) + 1 FROM site_nav;

-- name: SiteNavSave :execrows
-- Zero rows: another editor changed the entry, or it is gone.
UPDATE site_nav SET name = @name, old_site = @old_site, revision = revision + 1 WHERE id = @id AND revision = @revision;

-- name: SiteNavRemove :execrows
DELETE FROM site_nav WHERE id = @id AND revision = @revision;

-- name: SiteNavArrange :exec
-- Puts the entries in the order of ids.
UPDATE site_nav SET position = n.position::int FROM unnest(@ids::text[]) WITH ORDINALITY AS n (id, position) WHERE site_nav.id = n.id;
