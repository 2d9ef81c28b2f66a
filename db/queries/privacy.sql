-- name: DataCopyAdd :execrows
-- Zero rows: a copy is being made, or as many as allowed were requested within a day.
INSERT INTO data_copy (id, account_id)
SELECT @id, @account_id
WHERE (SELECT count(*) FROM data_copy c WHERE c.account_id = @account_id AND c.asked_at > now() - interval '1 day') < @most_a_day::int
ON CONFLICT DO NOTHING;

-- name: DataCopyList :many
SELECT id, asked_at, done, steps, bytes, ready_at, expires_at FROM data_copy
WHERE account_id = @account_id AND expires_at > now() ORDER BY asked_at DESC;

-- name: DataCopyStart :one
-- Starts a try to make a copy. No row: the copy was made, or its account was deleted.
UPDATE data_copy SET try = try + 1, done = 0, steps = @steps WHERE id = @id AND ready_at IS NULL RETURNING account_id, try;

-- name: DataCopyStep :execrows
UPDATE data_copy SET done = done + 1 WHERE id = @id AND try = @try;

-- name: DataCopyPartAdd :exec
INSERT INTO data_copy_part (copy_id, try, n, sealed) VALUES (@copy_id, @try, @n, @sealed);

-- name: DataCopyReady :execrows
-- Zero rows: a later try took over.
WITH ready AS (
    UPDATE data_copy c SET parts = @parts, bytes = @bytes, ready_at = now(), expires_at = now() + @kept_for::interval
    WHERE c.id = @id AND c.try = @try AND c.ready_at IS NULL RETURNING c.id, c.try
), rest AS (
    DELETE FROM data_copy_part p USING ready r WHERE p.copy_id = r.id AND p.try <> r.try
)
SELECT id FROM ready;

-- name: DataCopyGet :one
-- Returns a finished copy, for its owner only.
SELECT id, try, parts, bytes FROM data_copy
WHERE id = @id AND account_id = @account_id /* mutant: a copy is downloaded by another */
  AND ready_at IS NOT NULL AND expires_at > now();

-- name: DataCopyPartGet :one
SELECT sealed FROM data_copy_part WHERE copy_id = @copy_id AND try = @try AND n = @n;

-- name: DataCopyPrune :execrows
-- Deletes expired copies, and those that could not be made within a day.
WITH old AS (
    SELECT id FROM data_copy WHERE expires_at < now() OR ready_at IS NULL AND asked_at < now() - interval '1 day' LIMIT @at_most FOR UPDATE SKIP LOCKED
)
DELETE FROM data_copy USING old WHERE data_copy.id = old.id;

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
INSERT INTO erasure (subject, erased_at) VALUES (@subject, @erased_at) ON CONFLICT DO NOTHING;

-- name: ErasureList :many
SELECT subject, erased_at FROM erasure ORDER BY erased_at, subject;

-- name: ErasureHas :one
SELECT EXISTS (SELECT FROM erasure WHERE subject = @subject)::boolean;

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
SELECT 'owner', c.name FROM client_admin m JOIN client c ON c.code = m.client_code
WHERE m.account_id = @account_id AND m.role = 'owner'
  AND NOT EXISTS (SELECT FROM client_admin o WHERE o.client_code = m.client_code AND o.role = 'owner' AND o.account_id <> @account_id)
  AND (c.live OR EXISTS (SELECT FROM client_admin o WHERE o.client_code = m.client_code AND o.account_id <> @account_id))
UNION ALL
SELECT 'known', c.name FROM client_admin m JOIN client c ON c.code = m.client_code
WHERE m.account_id = @account_id AND m.role = 'owner' AND c.live
  AND EXISTS (SELECT FROM known_owner k WHERE k.client_code = m.client_code AND k.account_id = m.account_id)
  AND EXISTS (SELECT FROM client_admin o WHERE o.client_code = m.client_code AND o.role = 'owner' AND o.account_id <> @account_id)
  AND NOT EXISTS (SELECT FROM client_admin o JOIN known_owner k ON k.client_code = o.client_code AND k.account_id = o.account_id
      WHERE o.client_code = m.client_code AND o.role = 'owner' AND o.account_id <> @account_id)
UNION ALL
SELECT 'mail', c.name FROM client c JOIN client_admin m ON m.client_code = c.code JOIN account a ON a.id = m.account_id
WHERE a.id = @account_id AND c.live AND lower(c.mail) = a.email
UNION ALL
SELECT 'form', f.reference FROM form f WHERE f.account_id = @account_id AND f.state = 'submitted'
UNION ALL
SELECT 'identity', c.name FROM compliance_admin m JOIN compliance c ON c.id = m.compliance_id
WHERE m.account_id = @account_id
  AND EXISTS (SELECT FROM compliance_person p WHERE p.compliance_id = c.id AND p.state = 'waiting')
  AND NOT EXISTS (SELECT FROM compliance_admin o WHERE o.compliance_id = c.id AND o.account_id <> @account_id)
UNION ALL
SELECT 'golive', c.name FROM go_live g JOIN client c ON c.code = g.client_code JOIN account a ON a.email = g.asked_by
WHERE a.id = @account_id AND g.state = 'waiting';

-- name: ErasureShops :many
-- The shops and merchants that an account works for, with its role on the team.
SELECT m.client_code AS code, m.role FROM client_admin m WHERE m.account_id = @account_id
UNION
SELECT b.code, '' FROM merchant_admin d JOIN merchant b ON b.uuid = d.merchant_uuid
WHERE d.account_id = @account_id AND NOT EXISTS (SELECT FROM client_admin x WHERE x.client_code = b.code AND x.account_id = d.account_id);

-- name: ErasureShopMail :exec
-- Stops sending the business's receipts to the address of an erased person. Owners of live shops were refused before.
UPDATE client SET mail = CASE WHEN lower(mail) = @email::text THEN '' ELSE mail END,
    pl_merchant_email = CASE WHEN lower(pl_merchant_email) = @email::text THEN '' ELSE pl_merchant_email END
WHERE code = ANY(@codes::text[]) AND @email::text IN (lower(mail), lower(pl_merchant_email));

-- name: ErasureRecords :many
-- The compliance records that only this account may open.
SELECT m.compliance_id FROM compliance_admin m WHERE m.account_id = @account_id
  AND NOT EXISTS (SELECT FROM compliance_admin o WHERE o.compliance_id = m.compliance_id AND o.account_id <> @account_id)
ORDER BY m.compliance_id;

-- name: ErasureRecordPeople :exec
-- Deletes the details of people whom staff never accepted: those of the records, and the account's own where it was to own a shop. The
-- foreign key deletes their pictures.
DELETE FROM compliance_person WHERE (compliance_id = ANY(@ids::text[]) OR account_id = @account_id::uuid) AND state <> 'accepted';

-- name: ErasureFormDrop :exec
DELETE FROM form WHERE account_id = @account_id AND state IN ('draft', 'returned');

-- name: ErasureFormPrune :execrows
-- Deletes decided forms of erased accounts once the law no longer requires them.
WITH old AS (
    SELECT f.account_id, f.kind FROM form f JOIN account a ON a.id = f.account_id
    WHERE a.erased_at IS NOT NULL AND f.decided_at < now() - interval '7 years' LIMIT @at_most FOR UPDATE OF f SKIP LOCKED
)
DELETE FROM form USING old WHERE form.account_id = old.account_id AND form.kind = old.kind;

-- name: ErasureMerchantEmpty :exec
UPDATE merchant SET signup_info = '{}' WHERE uid = @account_id;

-- name: ErasureScreenUnlink :exec
UPDATE kitchen_device SET made_by = NULL, ended_at = coalesce(ended_at, now()) WHERE made_by = @account_id::uuid;

-- name: ErasureInvites :exec
-- Deletes the invitations to an address, and its tokens for the batch API.
WITH teams AS (
    DELETE FROM shop_invite i WHERE i.email = @email::text
), dashboards AS (
    DELETE FROM merchant_invite m WHERE m.email = @email::text
)
UPDATE invite v SET email = @pseudonym, revoked_at = coalesce(v.revoked_at, now()), last_used_address = '' WHERE v.email = @email::text;

-- name: ErasureAudit :exec
-- Covers every line if subjects is NULL.
SELECT audit_erase(@what, @instead, sqlc.narg(subjects)::text[]);

-- name: ErasureAuditOwn :exec
-- about is "account" and the id of the account with the address.
SELECT audit_erase_own(@what, @instead, @about);

-- name: ErasureMails :exec
-- Deletes the letters to an address, and replaces it in others.
WITH gone AS (
    DELETE FROM mail WHERE lower(recipient) = lower(@what::text)
)
UPDATE mail SET plain = erase_words(plain, @what::text, @instead::text), html = erase_words(html, @what::text, @instead::text), subject = erase_words(subject, @what::text, @instead::text)
WHERE lower(recipient) <> lower(@what::text) AND position(lower(@what::text) IN lower(plain || html || subject)) > 0;

-- name: ErasurePayerLock :one
-- Locks a transaction. moving reports whether money may still move, which the payer must be told; making reports whether a kitchen lists
-- the order and so needs its table and its notes, such as one about an allergy.
SELECT t.id, t.client_code, t.push_token,
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

-- name: ErasurePayer :exec
-- Removes the payer from a transaction and its rows. Amounts, times, references, card brand and last four digits stay.
WITH attempts AS (
    UPDATE attempt SET payer_name = '', payer_email = '', consumer_name = '', consumer_email = '', card_expiry = '', redirect_url = '',
        request = '', trace = ''
    WHERE attempt.transaction_id = @id::text
), lines AS (
    UPDATE order_line SET note = '' WHERE order_line.transaction_id = @id::text AND note <> ''
), links AS (
    UPDATE paylink SET payer_mail = '' WHERE paylink.transaction_id = @id::text AND payer_mail <> ''
), receipts AS (
    UPDATE receipt SET asked_mail = NULL WHERE receipt.transaction_id = @id::text AND asked_mail IS NOT NULL
), keys AS (
    DELETE FROM order_key WHERE order_key.transaction_id = @id::text
), origins AS (
    DELETE FROM paid_origin WHERE paid_origin.transaction_id = @id::text
), pushes AS (
    DELETE FROM push_registration r USING transaction t WHERE t.id = @id::text AND r.key = t.push_token
)
UPDATE transaction SET customer_name = '', table_name = '', push_token = '', origin = NULL WHERE transaction.id = @id::text;

-- name: ErasurePayerWords :exec
-- Removes a name or an address of the payer from the texts about a transaction.
WITH attempts AS (
    UPDATE attempt SET error_msg = erase_words(error_msg, @what::text, 'erased')
    WHERE attempt.transaction_id = @id::text AND position(lower(@what::text) IN lower(error_msg)) > 0
), refunds AS (
    UPDATE refund SET reason = erase_words(reason, @what::text, 'erased')
    WHERE refund.transaction_id = @id::text AND position(lower(@what::text) IN lower(reason)) > 0
), differences AS (
    UPDATE discrepancy SET detail = erase_words(detail, @what::text, 'erased')
    WHERE discrepancy.attempt_id IN (SELECT a.id FROM attempt a WHERE a.transaction_id = @id::text)
)
UPDATE transaction SET description = erase_words(description, @what::text, 'erased')
WHERE transaction.id = @id::text AND position(lower(@what::text) IN lower(description)) > 0;

-- name: ErasurePayerSubjects :many
-- Lists the ids by which the audit log and the keys of letters refer to a transaction: its own, and those of its attempts, refunds and erasure
-- requests.
SELECT t.id::text AS subject FROM transaction t WHERE t.id = @id::text
UNION ALL SELECT a.id::text FROM attempt a WHERE a.transaction_id = @id::text
UNION ALL SELECT f.id::text FROM refund f WHERE f.transaction_id = @id::text
UNION ALL SELECT e.id::text FROM erasure_ask e WHERE e.transaction_id = @id::text;

-- name: ErasurePayerLetters :exec
-- Deletes the letters about a payment, whoever the recipient is. A job that has not sent its letter yet writes it again, without the payer.
DELETE FROM mail m WHERE EXISTS (SELECT FROM unnest(@subjects::text[]) s WHERE position(s IN m.key) > 0);

-- name: ErasurePayerDone :exec
DELETE FROM erasure_ask WHERE transaction_id = @id::text;

-- name: ErasureTransactionOf :one
-- Finds a transaction by its receipt's token or its own id.
SELECT t.id FROM transaction t WHERE t.id = @named::text
UNION ALL SELECT r.transaction_id FROM receipt r WHERE r.token = @named::text LIMIT 1;
