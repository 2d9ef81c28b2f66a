-- +goose Up
SET LOCAL statement_timeout = 0; -- the outbox is written anew
-- Why a letter stays in the outbox: in test mode only the business's team gets email, or a limit was reached.
ALTER TABLE mail ALTER COLUMN held DROP DEFAULT;
ALTER TABLE mail ALTER COLUMN held TYPE text USING CASE WHEN NOT held THEN '' WHEN test_mode THEN 'team' ELSE 'limit' END;
ALTER TABLE mail ALTER COLUMN held SET DEFAULT '', ADD CHECK (held IN ('', 'team', 'limit'));

-- The addresses of who paid a transaction: typed on the payment page, named by the gateway, and asked for on the receipt's page.
CREATE VIEW payer AS
SELECT t.id AS transaction_id, (CASE WHEN e.erased THEN '' ELSE a.payer_email END)::text AS typed,
       (CASE WHEN e.erased THEN '' ELSE a.consumer_email END)::text AS consumer,
       (CASE WHEN e.erased THEN '' ELSE coalesce(r.asked_mail, '') END)::text AS asked
FROM transaction t
JOIN attempt a ON a.id = t.approved_attempt
LEFT JOIN receipt r ON r.transaction_id = t.id
CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM erasure x WHERE x.subject = 'payer ' || t.id) AS erased) e;

-- +goose Down
DROP VIEW payer;
ALTER TABLE mail DROP CONSTRAINT mail_held_check, ALTER COLUMN held DROP DEFAULT;
ALTER TABLE mail ALTER COLUMN held TYPE boolean USING held <> '';
ALTER TABLE mail ALTER COLUMN held SET DEFAULT false;
