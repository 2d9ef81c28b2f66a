-- name: SiteSlideList :many
SELECT title, sub_title FROM site_slide ORDER BY position, id;
