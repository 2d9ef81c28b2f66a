-- +goose Up

-- What happened to a business: one row for each committed change, written in its transaction (00161). A row holds nothing of a card, and
-- no text that a person wrote, except a location's name. subject is what the page that shows it is about: a transaction, a payout, 'shop'
-- or 'team'; about is the attempt, the refund, the payout or the account. It references no table, or each payment would lock its business.
CREATE TABLE client_event (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    client_code  text NOT NULL,
    subject      text NOT NULL,
    kind         text NOT NULL,
    about        text NOT NULL,
    detail       text NOT NULL DEFAULT '', -- the location that is ready, the role of a member
    amount_minor bigint,                   -- null where it is about no amount
    currency     text NOT NULL DEFAULT '',
    test_mode    boolean NOT NULL,
    happened_at  timestamptz NOT NULL DEFAULT now(),
    number       bigint -- from 1 for each business without a gap, given after the commit; null until then
);

CREATE INDEX client_event_waiting ON client_event (id) WHERE number IS NULL;
CREATE UNIQUE INDEX client_event_number ON client_event (client_code, number) WHERE number IS NOT NULL;
CREATE INDEX client_event_subject ON client_event (client_code, subject);
-- Events that somebody may have to act on: few, compared with payments.
CREATE INDEX client_event_notable ON client_event (client_code, happened_at)
    WHERE kind IN ('refund.failed', 'refund.large', 'dispute.opened', 'dispute.won', 'dispute.lost', 'payout.paid');

-- The last number of each business's events. It outlives them.
CREATE TABLE client_event_last (
    client_code text PRIMARY KEY,
    number      bigint NOT NULL
);

-- The events that today's page counts, for changes before this migration. They get their numbers here, so that nobody is notified again.
INSERT INTO client_event (client_code, subject, kind, about, amount_minor, currency, test_mode, happened_at, number)
SELECT e.client_code, e.transaction_id, e.kind, e.about, e.amount_minor, e.currency, e.test_mode, e.at, row_number() OVER (PARTITION BY e.client_code ORDER BY e.at)
FROM (
    SELECT r.client_code, r.transaction_id, 'refund.failed' AS kind, r.id::text AS about, r.amount_minor, r.currency, r.test_mode, r.settled_at AS at
    FROM client c CROSS JOIN (VALUES (true), (false)) mode (test)
    JOIN refund r ON r.client_code = c.code AND r.test_mode = mode.test AND r.state = 'declined' AND r.settled_at > now() - interval '3 days'
    UNION ALL
    SELECT d.client_code, d.transaction_id, 'dispute.opened', d.attempt_id::text, d.amount_minor, d.currency, d.test_mode, d.opened_at
    FROM dispute d WHERE d.state = 'opened'
) e;
INSERT INTO client_event_last SELECT client_code, count(*) FROM client_event GROUP BY client_code;

-- +goose Down
DROP TABLE client_event_last;
DROP TABLE client_event;
