-- +goose Up

-- An unmatched dispute keeps its payment from being refunded until it is closed: the business won it, it is about no money, or a person closed it.
ALTER TABLE unmatched_movement ADD COLUMN closed_at timestamptz;

CREATE INDEX unmatched_movement_open ON unmatched_movement (created_at) WHERE closed_at IS NULL;

UPDATE unmatched_movement u SET closed_at = now()
WHERE u.kind = 'dispute' AND (u.amount_minor = 0 OR EXISTS (SELECT FROM dispute d WHERE d.attempt_id::text = u.reference));

-- When a refund was sent to the gateway for the first time; null: never. Those of the version before count as sent.
ALTER TABLE refund ADD COLUMN sent_at timestamptz DEFAULT now();

-- When the gateways' disputes and payouts were last read. Until the first time it is when the database was made, or got this migration.
INSERT INTO ledger_read (kind, until_at) VALUES ('dispute', now()), ('payout', now()) ON CONFLICT (kind) DO NOTHING;

-- A dispute that was lost, and then won, takes no money.
DELETE FROM unsettled u USING dispute d WHERE u.kind = 'dispute' AND u.reference = d.attempt_id::text AND d.state = 'won';

-- +goose Down
ALTER TABLE refund DROP COLUMN sent_at;
ALTER TABLE unmatched_movement DROP COLUMN closed_at; -- with its index
DELETE FROM ledger_read WHERE kind IN ('dispute', 'payout');
