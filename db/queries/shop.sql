-- name: ShopEnter :one
-- A shop with the role of an account in it. No row: the shop is missing, or the account is not on its team.
SELECT sqlc.embed(c), m.role FROM client_admin m JOIN client c ON c.code = m.client_code
WHERE c.code = @code AND m.account_id = @account_id AND c.demo_open IS NOT FALSE;

-- name: ShopMemberLock :one
-- The role of an account in a shop, which stays what it is until the transaction ends.
SELECT m.role FROM client_admin m JOIN client c ON c.code = m.client_code
WHERE m.client_code = @code AND m.account_id = @account_id AND c.demo_open IS NOT FALSE
FOR SHARE OF m;

-- name: ShopListByAccount :many
-- The shops that an account is on the team of, in the order they were made.
SELECT c.code, c.name, c.live, m.role FROM client_admin m JOIN client c ON c.code = m.client_code
WHERE m.account_id = @account_id AND c.demo_open IS NOT FALSE ORDER BY c.created_at, c.code;

-- name: ShopProgress :one
-- How far a shop has come, for its checklist. The application and the compliance record are those of its owners that got furthest.
WITH owner AS (SELECT account_id FROM client_admin WHERE client_code = @code::text AND role = 'owner'),
record AS (
    SELECT c.id, EXISTS (SELECT FROM compliance_agreement g WHERE g.compliance_id = c.id) AS signed,
        (SELECT count(*) FROM compliance_person p WHERE p.compliance_id = c.id) AS people,
        (SELECT count(*) FROM compliance_person p WHERE p.compliance_id = c.id AND p.state = 'accepted') AS accepted
    FROM compliance c
    WHERE EXISTS (SELECT FROM compliance_admin a JOIN owner USING (account_id) WHERE a.compliance_id = c.id)
    ORDER BY c.created_at DESC LIMIT 1
)
SELECT EXISTS (SELECT FROM item i WHERE i.client_code = @code::text AND i.available)::boolean AS menu,
    (SELECT count(*) FROM shop_table t WHERE t.client_code = @code::text)::int AS tables,
    coalesce((SELECT t.name FROM shop_table t WHERE t.client_code = @code::text ORDER BY t.position LIMIT 1), '')::text AS first_table,
    ((SELECT min(t.paid_at) FROM transaction t WHERE t.client_code = @code::text AND t.test_mode AND t.kind = 'order') IS NOT NULL)::boolean AS tested,
    coalesce((SELECT f.state FROM form f JOIN owner USING (account_id) WHERE f.kind = 'application'
        ORDER BY array_position(ARRAY['approved', 'submitted', 'returned', 'draft', 'declined'], f.state) LIMIT 1), '')::text AS application,
    coalesce((SELECT r.id FROM record r), '')::text AS record,
    coalesce((SELECT r.signed FROM record r), false)::boolean AS signed,
    coalesce((SELECT r.people FROM record r), 0)::int AS people,
    coalesce((SELECT r.accepted FROM record r), 0)::int AS accepted,
    EXISTS (SELECT FROM client_account k WHERE k.client_code = @code::text AND k.live)::boolean AS gateway;
