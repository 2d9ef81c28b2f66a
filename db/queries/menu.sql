-- name: MenuGet :one
-- A business with its menu as a document, what of it is sold out now, the names of its tables, and the revision of its menu. Parts that are
-- no longer on the menu are in it as unavailable. Demo businesses do not exist while demo mode is off.
SELECT sqlc.embed(c), menu_of_tables(c.code)::text AS menu,
    ARRAY(SELECT i.id FROM item i WHERE i.shop_code = c.code AND sold_out_now(i.sold_out, i.sold_out_until) ORDER BY i.id)::bigint[] AS items_out,
    ARRAY(SELECT o.id FROM option_choice o WHERE o.shop_code = c.code AND sold_out_now(o.sold_out, o.sold_out_until) ORDER BY o.id)::bigint[] AS choices_out,
    ARRAY(SELECT t.name FROM shop_table t WHERE t.shop_code = c.code ORDER BY t.position)::text[] AS tables,
    holidays_of(c.code)::text AS holidays, EXISTS (SELECT FROM kitchen_closed k WHERE k.shop_code = c.code)::boolean AS paused,
    coalesce((SELECT max(v.no) FROM menu_version v WHERE v.shop_code = c.code), 0)::int AS revision
FROM shop c WHERE c.code = $1 AND c.demo_open IS NOT FALSE;

-- name: MenuState :one
-- Returns the draft and the published menu of a shop, and what is sold out now. Before the first version, the published menu is built from
-- the tables; before the first draft, revision is 0 and the draft is the published menu.
SELECT coalesce(d.revision, 0)::bigint AS revision, coalesce(d.body::text, '')::text AS draft,
    coalesce(d.changed_by, '')::text AS changed_by, coalesce(d.changed_at, now())::timestamptz AS changed_at,
    coalesce((SELECT v.body::text FROM menu_version v WHERE v.shop_code = c.code ORDER BY v.published_at DESC, v.no DESC LIMIT 1),
        menu_of_tables(c.code)::text)::text AS published, c.currency,
    ARRAY(SELECT i.id FROM item i WHERE i.shop_code = c.code AND sold_out_now(i.sold_out, i.sold_out_until))::bigint[] AS items_out
FROM shop c LEFT JOIN menu_draft d ON d.shop_code = c.code WHERE c.code = @code;

-- name: MenuDraftStart :exec
-- Without a draft, the published menu becomes one.
INSERT INTO menu_draft (shop_code, revision, body, changed_by)
SELECT @code::text, 0, coalesce((SELECT v.body FROM menu_version v WHERE v.shop_code = @code::text
    ORDER BY v.published_at DESC, v.no DESC LIMIT 1), menu_of_tables(@code::text)), @changed_by::text
WHERE NOT EXISTS (SELECT FROM menu_draft d WHERE d.shop_code = @code::text)
ON CONFLICT (shop_code) DO NOTHING;

-- name: MenuDraftLock :one
SELECT revision, body FROM menu_draft WHERE shop_code = @code FOR UPDATE;

-- name: MenuDraftSave :exec
UPDATE menu_draft SET body = @body::jsonb, revision = revision + 1, changed_at = now(), changed_by = @changed_by WHERE shop_code = @code;

-- name: MenuEditPut :exec
-- Notes who changed parts of a draft.
INSERT INTO menu_edit (shop_code, kind, part, revision, account_id)
SELECT @code::text, unnest(@kinds::text[]), unnest(@parts::bigint[]), @revision::bigint, @account_id::uuid
ON CONFLICT (shop_code, kind, part) DO UPDATE
SET revision = excluded.revision, account_id = excluded.account_id, changed_at = excluded.changed_at;

-- name: MenuEditPrune :exec
-- Forgets all but the latest changes of a draft: imports that replace a whole menu could go on without an end.
DELETE FROM menu_edit o WHERE o.shop_code = @code
    AND o.revision < (SELECT e.revision FROM menu_edit e WHERE e.shop_code = @code ORDER BY e.revision DESC OFFSET @kept LIMIT 1);

-- name: MenuEditGet :one
-- Returns who last changed a part of a draft. A change that is forgotten may be any up to the oldest that is noted, if that is newer than what
-- a person saw.
SELECT coalesce(e.revision, o.revision)::bigint AS revision, coalesce(e.changed_at, o.changed_at)::timestamptz AS changed_at, coalesce(a.email, '')::text AS by
FROM (SELECT m.shop_code, m.revision, m.changed_at FROM menu_edit m WHERE m.shop_code = @code ORDER BY m.revision LIMIT 1) AS o
LEFT JOIN menu_edit e ON e.shop_code = o.shop_code AND e.kind = @kind AND e.part = @part
LEFT JOIN account a ON a.id = e.account_id
WHERE e.revision IS NOT NULL OR o.revision > @seen::bigint AND (SELECT count(*) FROM menu_edit n WHERE n.shop_code = @code) > @kept::bigint;

-- name: MenuIdsTake :many
-- Takes new ids for parts of a draft from the sequence of their table.
SELECT nextval(pg_get_serial_sequence(@of::text, 'id'))::bigint AS id FROM generate_series(1, @n::bigint);

-- name: MenuNamesKept :many
-- Finds rows of parts that were once in the menu, to reuse them for new parts of the same name.
SELECT 'item'::text AS kind, i.id, lower(i.name)::text AS name FROM item i WHERE i.shop_code = @code::text AND lower(i.name) = ANY(@names::text[])
UNION ALL
SELECT 'category', c.id, lower(c.name) FROM category c WHERE c.shop_code = @code::text AND lower(c.name) = ANY(@names::text[]);

-- name: MenuLock :exec
-- Makes publications wait for each other. Orders go on.
SELECT FROM shop WHERE code = @code FOR NO KEY UPDATE;

-- name: MenuVersionFirst :exec
-- Stores the menu from before the first version as a version, too, so that it can be brought back.
INSERT INTO menu_version (shop_code, no, body, made_by, origin, published_at)
SELECT @code::text, 1, menu_of_tables(@code::text), '', 'before', now()
WHERE NOT EXISTS (SELECT FROM menu_version v WHERE v.shop_code = @code::text) AND EXISTS (SELECT FROM item i WHERE i.shop_code = @code::text);

-- name: MenuVersionAdd :one
-- Stores a version. A shop keeps its latest hundred.
WITH old AS (
    DELETE FROM menu_version v WHERE v.shop_code = @code::text
      AND v.no <= (SELECT max(l.no) FROM menu_version l WHERE l.shop_code = @code::text) - 99
)
INSERT INTO menu_version (shop_code, no, body, made_by, origin, published_at)
SELECT @code::text, coalesce(max(v.no), 0) + 1, @body::jsonb, @made_by::text, @origin::text, clock_timestamp()
FROM menu_version v WHERE v.shop_code = @code::text
RETURNING no;

-- name: MenuVersionGet :one
SELECT body FROM menu_version WHERE shop_code = @code AND no = @no;

-- name: MenuVersionList :many
-- Lists versions, newest first.
SELECT no, made_by, origin, published_at FROM menu_version WHERE shop_code = @code ORDER BY published_at DESC, no DESC LIMIT 100;

-- name: MenuPublished :one
SELECT EXISTS (SELECT FROM menu_version v WHERE v.shop_code = @code);

-- name: MenuVersionOldCount :one
-- Counts versions that guests have not seen for so long, apart from the latest of each shop.
SELECT count(*) FROM (
    SELECT row_number() OVER w AS place, lag(v.published_at) OVER w AS replaced_at FROM menu_version v
    WINDOW w AS (PARTITION BY v.shop_code ORDER BY v.published_at DESC, v.no DESC)
) old WHERE old.place > @latest::int AND old.replaced_at < now() - make_interval(days => @days::int);

-- name: MenuVersionPrune :execrows
DELETE FROM menu_version v USING (
    SELECT r.shop_code, r.no FROM (
        SELECT o.shop_code, o.no, row_number() OVER w AS place, lag(o.published_at) OVER w AS replaced_at FROM menu_version o
        WINDOW w AS (PARTITION BY o.shop_code ORDER BY o.published_at DESC, o.no DESC)
    ) r
    WHERE r.place > @latest::int AND r.replaced_at < now() - make_interval(days => @days::int) LIMIT @at_most
) old
WHERE v.shop_code = old.shop_code AND v.no = old.no;
