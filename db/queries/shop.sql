-- name: ShopEnter :one
-- A shop with the role of an account in it. No row: the shop is missing, or the account is not on its team.
SELECT sqlc.embed(c), m.role FROM shop_member m JOIN shop c ON c.code = m.shop_code
WHERE c.code = @code AND m.account_id = @account_id AND c.demo_open IS NOT FALSE;

-- name: ShopFind :one
-- A shop, for staff.
SELECT * FROM shop c WHERE c.code = @code AND c.demo_open IS NOT FALSE;

-- name: ShopListByAccount :many
-- The shops whose team an account is on, in the order they were made.
SELECT c.code, c.name, c.live, c.accent, c.logo, m.role FROM shop_member m JOIN shop c ON c.code = m.shop_code
WHERE m.account_id = @account_id AND c.demo_open IS NOT FALSE ORDER BY c.created_at, c.code;

-- name: ShopProgress :one
-- Returns a shop's progress for its checklist. The application is the one of its owners that got furthest, or one that staff approved
-- when somebody else owned the shop: that of its record, or of a request to go live. The operator, who may approve a request without an
-- application, is not staff; and no earlier approval stands for an owner whom staff declined. One that staff approved counts only with its record:
-- usable lists the owners whose record counts for other shops, or for none. The people of the record are those that the application names, and owners
-- who came after it; unknown lists the owners who are neither.
WITH owner AS (SELECT account_id FROM shop_member WHERE shop_code = @code::text AND role = 'owner'),
record AS (
    SELECT c.id, c.applicant, EXISTS (SELECT FROM compliance_agreement g WHERE g.compliance_id = c.id) AS signed, p.people, p.accepted
    FROM compliance c
    CROSS JOIN LATERAL (
        SELECT count(*) AS people, count(*) FILTER (WHERE p.state = 'accepted') AS accepted FROM compliance_person p
        WHERE p.compliance_id = c.id AND (p.account_id IS NULL OR EXISTS (SELECT FROM owner o WHERE o.account_id = p.account_id))
    ) p
    WHERE c.shop_code = @code::text AND EXISTS (SELECT FROM compliance_person x WHERE x.compliance_id = c.id)
      AND EXISTS (SELECT FROM compliance_admin a JOIN owner USING (account_id) WHERE a.compliance_id = c.id)
    ORDER BY c.applicant IS NULL, c.created_at DESC LIMIT 1
)
SELECT EXISTS (SELECT FROM item i WHERE i.shop_code = @code::text AND i.available)::boolean AS menu,
    EXISTS (SELECT FROM shop s WHERE s.code = @code::text AND s.country_code = 'AU')::boolean AS australian,
    (SELECT count(*) FROM shop_table t WHERE t.shop_code = @code::text)::int AS tables,
    coalesce((SELECT t.name FROM shop_table t WHERE t.shop_code = @code::text ORDER BY t.position LIMIT 1), '')::text AS first_table,
    ((SELECT min(t.paid_at) FROM transaction t WHERE t.shop_code = @code::text AND t.test_mode AND t.kind = 'order') IS NOT NULL)::boolean AS tested,
    coalesce((SELECT 'approved' WHERE NOT EXISTS (SELECT FROM form f JOIN owner USING (account_id) WHERE f.kind = 'application' AND f.state = 'declined')
            AND (EXISTS (SELECT FROM go_live g WHERE g.shop_code = @code::text AND g.state = 'approved' AND g.decided_by NOT IN (g.asked_by, 'operator'))
                OR EXISTS (SELECT FROM form f JOIN record r ON r.applicant = f.account_id WHERE f.kind = 'application' AND f.state = 'approved'))),
        (SELECT f.state FROM form f JOIN owner USING (account_id) WHERE f.kind = 'application' AND f.state <> 'approved'
        ORDER BY array_position(ARRAY['submitted', 'returned', 'draft', 'declined'], f.state) LIMIT 1), '')::text AS application,
    coalesce((SELECT r.id FROM record r), '')::text AS record,
    coalesce((SELECT array_agg(a.email ORDER BY a.email) FROM record r JOIN compliance_admin x ON x.compliance_id = r.id JOIN owner USING (account_id)
        JOIN account a ON a.id = x.account_id), '{}')::text[] AS runners,
    coalesce((SELECT r.signed FROM record r), false)::boolean AS signed,
    coalesce((SELECT r.people FROM record r), 0)::int AS people,
    coalesce((SELECT r.accepted FROM record r), 0)::int AS accepted,
    EXISTS (SELECT FROM shop_account k WHERE k.shop_code = @code::text AND k.live)::boolean AS gateway,
    coalesce((SELECT p.state FROM payout_account_state p WHERE p.shop_code = @code::text ORDER BY p.passed_at LIMIT 1), '')::text AS paid_into,
    coalesce((SELECT array_agg(a.email ORDER BY a.email) FROM shop_member m JOIN account a ON a.id = m.account_id
        WHERE m.shop_code = @code::text AND a.verified_at IS NULL), '{}')::text[] AS unverified,
    coalesce((SELECT array_agg(a.email ORDER BY a.email) FROM owner JOIN account a ON a.id = owner.account_id
        WHERE a.demo_open IS NULL AND NOT EXISTS (SELECT FROM totp t WHERE t.account_id = a.id AND t.confirmed_at IS NOT NULL)
            AND NOT EXISTS (SELECT FROM passkey p WHERE p.account_id = a.id)), '{}')::text[] AS unsecured,
    coalesce((SELECT array_agg(a.email ORDER BY a.email) FROM owner o JOIN account a ON a.id = o.account_id
        WHERE EXISTS (SELECT FROM known_owner k WHERE k.shop_code = @code::text)
          AND NOT EXISTS (SELECT FROM known_owner k WHERE k.shop_code = @code::text AND k.account_id = a.id)
          AND NOT EXISTS (SELECT FROM record r JOIN compliance_person p ON p.compliance_id = r.id AND p.account_id = a.id)), '{}')::text[] AS unknown,
    coalesce((SELECT array_agg(a.email ORDER BY a.email) FROM owner o JOIN account a ON a.id = o.account_id
        WHERE NOT EXISTS (SELECT FROM applied_shop s WHERE s.shop_code = @code::text)
          AND EXISTS (SELECT FROM compliance c JOIN compliance_admin x ON x.compliance_id = c.id AND x.account_id = c.applicant
              WHERE c.applicant = a.id AND (c.shop_code IS NULL OR EXISTS (SELECT FROM applied_shop s WHERE s.compliance_id = c.id)))), '{}')::text[] AS usable,
    coalesce((SELECT g.state FROM go_live g WHERE g.shop_code = @code::text), '')::text AS request,
    coalesce((SELECT g.reason FROM go_live g WHERE g.shop_code = @code::text), '')::text AS reason;

-- name: MerchantReadyList :many
-- The merchants of an admin that have no shop.
SELECT m.uuid, m.code, m.name FROM merchant_admin a JOIN merchant m ON m.uuid = a.merchant_uuid
WHERE a.account_id = @account_id AND m.shop_code IS NULL AND m.demo_open IS NOT FALSE ORDER BY m.created_at, m.code;

-- name: ShopCodeTaken :many
-- Which of these codes a merchant cannot have, because another one or a shop has it.
SELECT c.code FROM shop c WHERE c.code = ANY(@codes::text[])
UNION SELECT m.code FROM merchant m WHERE m.code = ANY(@codes::text[]) AND m.uuid <> @merchant;

-- name: MerchantLockOwn :one
-- A merchant, for one of its admins, locked until the transaction ends.
SELECT m.uuid, m.code, m.name, m.shop_code FROM merchant_admin a JOIN merchant m ON m.uuid = a.merchant_uuid
WHERE m.uuid = @uuid AND a.account_id = @account_id AND m.demo_open IS NOT FALSE FOR UPDATE OF m;

-- name: ShopAdd :execrows
-- Zero rows: another business has the code.
INSERT INTO shop (code, name, accent, pl_name, demo_open)
SELECT @code::text, @name::text, @accent::text, @name::text, m.demo_open FROM merchant m
WHERE m.uuid = @merchant AND NOT EXISTS (SELECT FROM merchant o WHERE o.code = @code::text AND o.uuid <> m.uuid)
ON CONFLICT (code) DO NOTHING;

-- name: MerchantOpenShop :exec
UPDATE merchant SET code = @code::text, shop_code = @code::text WHERE uuid = @uuid;

-- name: ShopSave :one
-- Stores what a shop says about itself. A live shop keeps its currency and country. Pay links get the same name as orders. A logo that is
-- neither the present one nor a picture of the shop changes nothing.
UPDATE shop
SET name = @name, pl_name = @name, tagline = @tagline, accent = @accent, time_zone = @time_zone, abn = @abn, gst_included = @gst_included,
    mail = @mail, pl_merchant_email = @mail, hours = @hours, street = @street, phone = @phone, mail_receipts = @mail_receipts,
    logo = CASE WHEN @logo::text = '' OR EXISTS (SELECT FROM picture p WHERE p.shop_code = @code AND '/picture/' || p.hash = @logo::text)
        THEN @logo::text ELSE logo END,
    currency = CASE WHEN live THEN currency ELSE @currency END, country_code = CASE WHEN live THEN country_code ELSE @country_code END
WHERE code = @code
RETURNING currency;

-- name: ShopLocationList :many
-- Lists the locations where a shop makes things: those on its list, then others that its menu names.
SELECT l.name FROM shop_location l WHERE l.shop_code = @code
UNION ALL
(SELECT DISTINCT i.loc FROM item i WHERE i.shop_code = @code AND i.available
    AND NOT EXISTS (SELECT FROM shop_location l WHERE l.shop_code = @code AND l.name = i.loc) ORDER BY 1);

-- name: ShopLocationSet :exec
-- Replaces the list of locations.
WITH gone AS (DELETE FROM shop_location l WHERE l.shop_code = @code::text AND l.name <> ALL(@names::text[]))
INSERT INTO shop_location (shop_code, name, position)
SELECT @code::text, n.name, n.position::int FROM unnest(@names::text[]) WITH ORDINALITY AS n (name, position)
ON CONFLICT (shop_code, name) DO UPDATE SET position = excluded.position;

-- name: ShopTableList :many
SELECT name, area FROM shop_table WHERE shop_code = @code ORDER BY position;

-- name: ShopTableSet :exec
-- Replaces the list of tables.
WITH gone AS (DELETE FROM shop_table t WHERE t.shop_code = @code::text AND t.name <> ALL(@names::text[]))
INSERT INTO shop_table (shop_code, name, area, position)
SELECT @code::text, n.name, a.area, position::int
FROM unnest(@names::text[]) WITH ORDINALITY AS n (name, position) JOIN unnest(@areas::text[]) WITH ORDINALITY AS a (area, position) USING (position)
ON CONFLICT (shop_code, name) DO UPDATE SET area = excluded.area, position = excluded.position;
-- name: ShopGet :one
-- Demo businesses do not exist while demo mode is off.
SELECT * FROM shop WHERE code = $1 AND demo_open IS NOT FALSE;

-- name: ShopListDemo :many
-- The demo businesses, while demo mode is on.
SELECT code, name, tagline, live, accent, logo FROM shop WHERE demo_open ORDER BY created_at, code;

-- name: ShopPutDemo :exec
INSERT INTO shop (code, name, tagline, live, accent, logo, abn, mail, pl_name, pl_merchant_email, gst_included, demo_open)
VALUES (@code, @name, @tagline, @live, @accent, @logo, @abn, @mail, @pl_name, @pl_merchant_email, @gst_included, true)
ON CONFLICT (code) DO NOTHING;

-- name: ShopWallet :one
-- The name of a shop that accepts wallets in its present mode (WALLET-01).
SELECT c.name FROM shop c JOIN shop_account k ON k.shop_code = c.code AND k.live = c.live
WHERE c.code = @code AND c.currency = 'AUD' AND c.demo_open IS NOT FALSE;

-- name: ShopExtrasSave :exec
-- Stores what a shop adds to orders.
UPDATE shop SET surcharges = @surcharges, tips = @tips, state = @state WHERE code = @code;

-- name: ShopHolidaySet :exec
-- Replaces those from yesterday on.
WITH gone AS (DELETE FROM shop_holiday h WHERE h.shop_code = @code::text AND h.day >= current_date - 1 AND h.day::text <> ALL(@days::text[]))
INSERT INTO shop_holiday (shop_code, day, name)
SELECT @code::text, d.day::date, n.name FROM unnest(@days::text[]) WITH ORDINALITY AS d (day, position)
    JOIN unnest(@names::text[]) WITH ORDINALITY AS n (name, position) USING (position)
ON CONFLICT (shop_code, day) DO UPDATE SET name = excluded.name;

-- name: HolidaysOf :one
-- The public holidays of a shop, as holidays_of has them.
SELECT holidays_of(@code)::text AS holidays;

-- name: HolidayState :one
-- The state whose public holidays a shop keeps.
SELECT state_of(c.country_code, c.state, c.time_zone)::text AS state FROM shop c WHERE c.code = @code;

-- name: HolidayNameList :many
-- The names of all public holidays that a shop keeps in any year, by its code or, for one that does not exist yet or moves, by its country and
-- time zone.
SELECT h.name FROM holiday h LEFT JOIN shop c ON c.code = @code::text
WHERE h.country = coalesce(nullif(@country::text, ''), c.country_code)
    AND h.state = state_of(h.country, coalesce(c.state, ''), coalesce(nullif(@time_zone::text, ''), c.time_zone, ''))
UNION SELECT o.name FROM shop_holiday o WHERE o.shop_code = @code::text ORDER BY name;

-- name: HolidayList :many
-- The public holidays of a state of Australia, or those that a shop keeps besides, from a date to another.
SELECT h.day::text AS day, h.name FROM holiday h
WHERE h.country = 'AU' AND h.state = @state::text AND h.day BETWEEN cast(@first::text AS date) AND cast(@last::text AS date)
UNION ALL SELECT o.day::text, o.name FROM shop_holiday o WHERE o.shop_code = @code::text AND o.day BETWEEN cast(@first::text AS date) AND cast(@last::text AS date)
ORDER BY day;

-- name: HolidayLock :exec
-- Makes changes of the public holidays wait for each other.
SELECT pg_advisory_xact_lock(hashtextextended('public holidays', 0));

-- name: HolidaySet :exec
-- Replaces those of a year.
WITH gone AS (DELETE FROM holiday h WHERE h.country = 'AU' AND h.state = @state::text AND extract(year FROM h.day) = @year::int
    AND h.day::text <> ALL(@days::text[]))
INSERT INTO holiday (country, state, day, name)
SELECT 'AU', @state::text, d.day::date, n.name FROM unnest(@days::text[]) WITH ORDINALITY AS d (day, position)
    JOIN unnest(@names::text[]) WITH ORDINALITY AS n (name, position) USING (position)
ON CONFLICT (country, state, day) DO UPDATE SET name = excluded.name;

-- name: ShopFloorTakings :exec
UPDATE shop SET floor_takings = @seen WHERE code = @code;
