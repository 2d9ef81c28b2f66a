-- +goose Up

-- The transactions of captures and refunds about which the gateway's ledger and our books differ, by the reference of the entry. Until a
-- person has closed the entry, such a transaction can be neither paid nor refunded. The gateway's id alone says little: two businesses may
-- have the same one.
CREATE VIEW money_in_question AS
WITH u AS NOT MATERIALIZED (
    SELECT reference, trx_id, transactionid FROM unmatched_movement WHERE closed_at IS NULL AND kind IN ('capture', 'refund')
)
SELECT u.reference, u.trx_id AS transaction_id FROM u
UNION ALL
SELECT u.reference, a.transaction_id FROM u JOIN attempt a
    ON u.reference = a.id::text OR u.trx_id = '' AND u.transactionid = a.transactionid
UNION ALL
SELECT u.reference, r.transaction_id FROM u JOIN refund r ON u.reference = r.id::text;

-- +goose Down
DROP VIEW money_in_question;
