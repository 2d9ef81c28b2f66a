-- name: SiteSlideList :many
SELECT id, title, sub_title, picture, revision FROM site_slide ORDER BY position, id;

-- name: SiteSlideLock :many
-- The ids of the slides in their order, locked until the transaction ends.
SELECT id FROM site_slide ORDER BY position, id FOR UPDATE;

-- name: SiteSlideAdd :one
-- Adds a slide behind the last one.
INSERT INTO site_slide (title, sub_title, picture, position)
SELECT @title::text, @sub_title::text, @picture::text, coalesce(max(position), 0) + 1 FROM site_slide RETURNING id;

-- name: SiteSlideSave :execrows
-- Zero rows: another editor changed the slide, or it is gone.
UPDATE site_slide SET title = @title, sub_title = @sub_title, picture = @picture, revision = revision + 1 WHERE id = @id AND revision = @revision;

-- name: SiteSlideRemove :execrows
DELETE FROM site_slide WHERE id = @id AND revision = @revision;

-- name: SiteSlideArrange :exec
-- Puts the slides in the order of ids.
UPDATE site_slide SET position = n.position::int FROM unnest(@ids::bigint[]) WITH ORDINALITY AS n (id, position) WHERE site_slide.id = n.id;
