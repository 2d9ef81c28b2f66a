-- name: PaylinkClientList :many
-- What the pay links of these clients depend on; an unknown code gets no row. now is the database's clock.
SELECT code, currency, now()::timestamptz AS now FROM client WHERE code = ANY(@codes::text[]) AND demo_open IS NOT FALSE;

-- name: PaylinkCreate :execrows
-- Stores every row or, where a client is gone since it was looked up, none, in one statement. A zero expiry is none. Mode,
-- country, trading name and address are the client's; an order's reference (POS, QR) is never a pay link's (PAY-49), so
-- trx_ref is the transaction's own id.
WITH wanted AS (
    SELECT unnest(@ids::text[]) AS id, unnest(@client_codes::text[]) AS client_code, unnest(@amounts::bigint[]) AS amount,
           unnest(@currencies::text[]) AS currency, unnest(@client_refs::text[]) AS client_ref,
           unnest(@descriptions::text[]) AS description, unnest(@expiries::timestamptz[]) AS expires_at
), found AS (
    SELECT w.*, c.country_code, c.live, coalesce(nullif(c.pl_name, ''), c.name) AS pl_name,
           coalesce(nullif(c.pl_merchant_email, ''), c.mail) AS pl_merchant_email
    FROM wanted w JOIN client c ON c.code = w.client_code
), stored AS (
    INSERT INTO transaction (id, client_code, amount_minor, currency, country_code, test_mode, description, source,
                             client_ref, trx_ref, kind, expires_at)
    SELECT f.id, f.client_code, f.amount, f.currency, f.country_code, NOT f.live, f.description, 'PayLink',
           f.client_ref, f.id, 'link', nullif(f.expires_at, '0001-01-01 00:00:00+00')
    FROM found f
    WHERE (SELECT count(*) FROM found) = cardinality(@ids::text[])
    RETURNING id
)
INSERT INTO paylink (transaction_id, client_code, pl_name, pl_merchant_email)
SELECT f.id, f.client_code, f.pl_name, f.pl_merchant_email FROM found f JOIN stored s ON s.id = f.id;

-- name: PaylinkByReference :one
-- The first pay link of a merchant that has a reference of its own.
SELECT p.transaction_id FROM paylink p JOIN transaction t ON t.id = p.transaction_id
WHERE p.client_code = @client_code AND t.client_ref = @client_ref
ORDER BY t.created_at, t.id LIMIT 1;
