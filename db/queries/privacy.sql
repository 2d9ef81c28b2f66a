-- name: ErasureAskAccount :execrows
-- Zero rows: the erasure was already requested.
INSERT INTO erasure_ask (id, account_id, due_at) VALUES (@id, @account_id, now() + @waits::interval) ON CONFLICT DO NOTHING;

-- name: ErasureAskOfAccount :one
SELECT asked_at, due_at FROM erasure_ask WHERE account_id = @account_id::uuid;

-- name: ErasureAskDrop :execrows
DELETE FROM erasure_ask WHERE account_id = @account_id::uuid;

-- name: ErasureAskPayer :exec
INSERT INTO erasure_ask (id, transaction_id) VALUES (@id, @transaction_id);

-- name: ErasureAskSign :one
-- Gives a payer's request its token when the letter is written. No row: the request was confirmed or deleted.
UPDATE erasure_ask SET token_hash = @token_hash WHERE id = @id AND due_at IS NULL RETURNING transaction_id::text AS transaction_id;

-- name: ErasureAskFind :one
-- Finds the request that a mailed link confirms.
SELECT a.id, a.transaction_id::text AS transaction_id, r.business, r.token, (a.due_at IS NOT NULL)::boolean AS confirmed
FROM erasure_ask a JOIN receipt r ON r.transaction_id = a.transaction_id
WHERE a.token_hash = @token_hash::bytea AND a.asked_at > now() - @works_for::interval;

-- name: ErasureAskConfirm :execrows
UPDATE erasure_ask SET due_at = now() WHERE id = @id AND due_at IS NULL;

-- name: ErasureOfPayer :one
-- Returns the state of the erasure of a transaction's payer.
SELECT EXISTS (SELECT FROM erasure_ask a WHERE a.transaction_id = @transaction_id::text AND a.due_at IS NOT NULL)::boolean AS ordered,
    EXISTS (SELECT FROM erasure e WHERE e.subject = 'payer ' || @transaction_id::text)::boolean AS done;

-- name: ErasureAskDue :many
SELECT id, account_id, transaction_id FROM erasure_ask WHERE due_at <= now() ORDER BY due_at LIMIT @at_most;

-- name: ErasureAskWait :exec
-- Postpones a request, so that those after it come first.
UPDATE erasure_ask SET due_at = now() + interval '5 minutes' WHERE id = @id;

-- name: ErasureAskPrune :execrows
WITH old AS (
    SELECT id FROM erasure_ask WHERE due_at IS NULL AND asked_at < now() - @works_for::interval LIMIT @at_most FOR UPDATE SKIP LOCKED
)
DELETE FROM erasure_ask USING old WHERE erasure_ask.id = old.id;

-- name: ErasureAdd :exec
INSERT INTO erasure (subject) VALUES (@subject) ON CONFLICT DO NOTHING;

-- name: ErasureAccountLock :one
-- Locks an account and returns it. If its address is not verified, the account may not belong to the reader of its mail.
SELECT id, email, erased_at, (verified_at IS NOT NULL)::boolean AS verified FROM account WHERE id = @id FOR UPDATE;

-- name: ErasureAccountEmpty :exec
-- Removes the person from an account's row. The empty password_hash matches no password.
UPDATE account SET email = @email, name = '', password_hash = '', staff = false, verified_at = NULL, erased_at = now() WHERE id = @id;

-- name: ErasureHeld :many
-- Lists why an account cannot be erased now: the kinds of privacy.Held, and what each is about.
SELECT 'staff'::text AS kind, ''::text AS what FROM account a WHERE a.id = @account_id AND a.staff
UNION ALL
SELECT 'demo', '' FROM account a WHERE a.id = @account_id AND a.demo_open IS NOT NULL
UNION ALL
SELECT 'owner', c.name FROM shop_member m JOIN shop c ON c.code = m.shop_code
WHERE m.account_id = @account_id AND m.role = 'owner'
  AND NOT EXISTS (SELECT FROM shop_member o WHERE o.shop_code = m.shop_code AND o.role = 'owner' AND o.account_id <> @account_id)
  AND (c.live OR EXISTS (SELECT FROM shop_member o WHERE o.shop_code = m.shop_code AND o.account_id <> @account_id))
UNION ALL
SELECT 'known', c.name FROM shop_member m JOIN shop c ON c.code = m.shop_code
WHERE m.account_id = @account_id AND m.role = 'owner' AND c.live
  AND EXISTS (SELECT FROM known_owner k WHERE k.shop_code = m.shop_code AND k.account_id = m.account_id)
  AND EXISTS (SELECT FROM shop_member o WHERE o.shop_code = m.shop_code AND o.role = 'owner' AND o.account_id <> @account_id)
  AND NOT EXISTS (SELECT FROM shop_member o JOIN known_owner k ON k.shop_code = o.shop_code AND k.account_id = o.account_id
      WHERE o.shop_code = m.shop_code AND o.role = 'owner' AND o.account_id <> @account_id)
UNION ALL
SELECT 'mail', c.name FROM shop c JOIN shop_member m ON m.shop_code = c.code JOIN account a ON a.id = m.account_id
WHERE a.id = @account_id AND c.live AND lower(c.mail) = a.email
UNION ALL
SELECT 'form', f.reference FROM form f WHERE f.account_id = @account_id AND f.state = 'submitted'
UNION ALL
SELECT 'identity', c.name FROM compliance_admin m JOIN compliance c ON c.id = m.compliance_id
WHERE m.account_id = @account_id
  AND EXISTS (SELECT FROM compliance_person p WHERE p.compliance_id = c.id AND p.state = 'waiting')
  AND NOT EXISTS (SELECT FROM compliance_admin o WHERE o.compliance_id = c.id AND o.account_id <> @account_id)
UNION ALL
SELECT 'golive', c.name FROM go_live g JOIN shop c ON c.code = g.shop_code JOIN account a ON a.email = g.asked_by
WHERE a.id = @account_id AND g.state = 'waiting';

-- name: ErasureShops :many
-- The shops and merchants that an account works for, with its role on the team.
SELECT m.shop_code AS code, m.role FROM shop_member m WHERE m.account_id = @account_id
UNION
SELECT b.code, '' FROM merchant_admin d JOIN merchant b ON b.uuid = d.merchant_uuid
WHERE d.account_id = @account_id AND NOT EXISTS (SELECT FROM shop_member x WHERE x.shop_code = b.code AND x.account_id = d.account_id);

-- name: ErasureRecords :many
-- The compliance records that an account may open, and whether nobody else may.
SELECT m.compliance_id, NOT EXISTS (SELECT FROM compliance_admin o WHERE o.compliance_id = m.compliance_id AND o.account_id <> @account_id) AS alone
FROM compliance_admin m WHERE m.account_id = @account_id ORDER BY m.compliance_id;

-- name: ErasureFormPrune :execrows
-- Deletes decided forms of erased accounts once the law no longer requires them.
WITH old AS (
    SELECT f.account_id, f.kind FROM form f JOIN account a ON a.id = f.account_id
    WHERE a.erased_at IS NOT NULL AND f.decided_at < now() - interval '7 years' LIMIT @at_most FOR UPDATE OF f SKIP LOCKED
)
DELETE FROM form USING old WHERE form.account_id = old.account_id AND form.kind = old.kind;

-- name: ErasureAudit :exec
-- Covers every line if subjects is NULL.
SELECT audit_erase(@what, @instead, sqlc.narg(subjects)::text[]);

-- name: ErasureAuditOwn :exec
-- about is "account" and the id of the account with the address.
SELECT audit_erase_own(@what, @instead, @about);

-- name: ErasurePayerLock :one
-- Locks a transaction. moving reports whether money may still move, which the payer must be told; making reports whether a kitchen lists
-- the order and so needs its table and its notes, such as one about an allergy.
SELECT t.id, t.shop_code, t.push_token,
    (t.status = 'processing'
     OR EXISTS (SELECT FROM refund f WHERE f.transaction_id = t.id AND f.state IN ('open', 'pending', 'manual'))
     OR EXISTS (SELECT FROM dispute d WHERE d.transaction_id = t.id AND d.state = 'opened'))::boolean AS moving,
    (t.status = 'success' AND t.paid_at > now() - interval '1 day'
     AND EXISTS (SELECT FROM order_line l WHERE l.transaction_id = t.id AND l.status = 'open'))::boolean AS making
FROM transaction t WHERE t.id = @id FOR UPDATE;

-- name: ErasurePayerNames :many
-- Lists the names and addresses of the payer of a transaction.
SELECT DISTINCT name::text AS name FROM (
    SELECT unnest(ARRAY[a.payer_email, a.consumer_email, a.payer_name, a.consumer_name]) AS name FROM attempt a WHERE a.transaction_id = @id::text
    UNION ALL SELECT t.customer_name FROM transaction t WHERE t.id = @id::text
    UNION ALL SELECT coalesce(r.asked_mail, '') FROM receipt r WHERE r.transaction_id = @id::text
    UNION ALL SELECT p.payer_mail FROM paylink p WHERE p.transaction_id = @id::text
) n WHERE length(name) >= 3 ORDER BY name DESC;

-- name: ErasurePayerSubjects :many
-- Lists the ids by which the audit log and the keys of letters refer to a transaction: its own, and those of its attempts, refunds and erasure
-- requests.
SELECT t.id::text AS subject FROM transaction t WHERE t.id = @id::text
UNION ALL SELECT a.id::text FROM attempt a WHERE a.transaction_id = @id::text
UNION ALL SELECT f.id::text FROM refund f WHERE f.transaction_id = @id::text
UNION ALL SELECT e.id::text FROM erasure_ask e WHERE e.transaction_id = @id::text;

-- name: ErasureTransactionOf :one
-- Finds a transaction by its receipt's token or its own id.
SELECT t.id FROM transaction t WHERE t.id = @named::text
UNION ALL SELECT r.transaction_id FROM receipt r WHERE r.token = @named::text LIMIT 1;
