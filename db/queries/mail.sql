-- name: MailAdd :exec
INSERT INTO mail (id, key, kind, message_id, sender, recipient, bcc, subject, plain, html, file_name, file, test_mode, held)
VALUES (@id, @key, @kind, @message_id, @sender, @recipient, @bcc, @subject, @plain, @html, @file_name, @file, @test_mode, @held);

-- name: MailByKey :one
SELECT * FROM mail WHERE key = @key;

-- name: MailGet :one
SELECT * FROM mail WHERE id = @id;

-- name: MailList :many
-- The newest mails, without their files.
SELECT id, kind, sender, recipient, subject, file_name, test_mode, created_at, sent_at, problem, held
FROM mail ORDER BY created_at DESC, id LIMIT @at_most;

-- name: MailRefundsLock :exec
-- Makes letters about refunds of a payment wait for each other.
SELECT pg_advisory_xact_lock(hashtextextended('refund letters ' || @transaction_id::text, 0));

-- name: MailRefundsOf :one
-- Counts the letters of the last day about refunds of a payment that were not held.
SELECT count(*) FROM refund r JOIN mail m ON m.key = 'refund/' || r.id::text
WHERE r.transaction_id = @transaction_id AND m.held = '' AND m.created_at > now() - interval '1 day';

-- name: MailSent :exec
-- Records that a mail server accepted the mail, whose text is then no longer needed.
UPDATE mail SET sent_at = now(), plain = '', html = '', file = NULL, file_name = '', problem = '' WHERE id = @id;

-- name: MailRefused :exec
UPDATE mail SET problem = @problem WHERE id = @id;

-- name: MailPrune :execrows
WITH old AS (SELECT id FROM mail WHERE created_at < now() - interval '30 days' LIMIT @at_most FOR UPDATE SKIP LOCKED)
DELETE FROM mail USING old WHERE mail.id = old.id;

-- name: ShopHasMember :one
-- Reports whether an address is verified and belongs to an admin of a business.
SELECT EXISTS (
    SELECT FROM shop_member x JOIN account a ON a.id = x.account_id
    WHERE x.shop_code = @shop_code AND a.email = lower(@email::text) AND a.verified_at IS NOT NULL AND a.demo_open IS NOT FALSE);
