-- name: SiteNavList :many
SELECT id, name, old_site FROM site_nav ORDER BY position, id;
