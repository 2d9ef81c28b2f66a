-- name: SiteSlideList :many
SELECT id::text AS id, title, sub_title, picture, revision FROM site_slide ORDER BY position, site_slide.id;

-- name: SiteSlideLock :many
-- The ids of the slides in their order, locked until the transaction ends.
SELECT id::text AS id FROM site_slide ORDER BY position, site_slide.id FOR UPDATE;

-- name: SiteSlideAdd :exec
-- Adds a slide after the last one.
INSERT INTO site_slide (title, sub_title, picture, position)
SELECT @title::text, @sub_title::text, @picture::text, coalesce(max(position), 0) + 1 FROM site_slide;

-- name: SiteSlideSave :execrows
-- Zero rows: another editor changed the slide, or it is gone.
UPDATE site_slide SET title = @title, sub_title = @sub_title, picture = @picture, revision = revision + 1 WHERE id::text = @id::text AND revision = @revision;

-- name: SiteSlideRemove :execrows
DELETE FROM site_slide WHERE id::text = @id::text AND revision = @revision;

-- name: SiteSlideArrange :exec
-- Puts the slides in the order of ids.
UPDATE site_slide SET position = n.position::int FROM unnest(@ids::text[]) WITH ORDINALITY AS n (id, position) WHERE site_slide.id::text = n.id;

-- name: SitePictureAdd :execrows
-- Zero rows: there are as many pictures as allowed.
INSERT INTO site_picture (hash, small, large)
SELECT @hash::text, @small::bytea, @large::bytea
WHERE (SELECT count(*) FROM site_picture) < @most::int OR EXISTS (SELECT FROM site_picture p WHERE p.hash = @hash::text)
ON CONFLICT (hash) DO UPDATE SET added_at = now();

-- name: SitePictureHas :one
SELECT EXISTS (SELECT FROM site_picture WHERE '/picture/' || hash = @address::text);

-- name: SitePicturePrune :exec
DELETE FROM site_picture p WHERE p.added_at < now() - interval '7 days' AND NOT EXISTS (SELECT FROM site_slide s WHERE s.picture = '/picture/' || p.hash);
