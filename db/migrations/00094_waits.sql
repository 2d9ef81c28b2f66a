-- +goose Up

-- Makes what a try counts against the limits agree with how its attempt stands; calling it again changes nothing. A try is given back
-- when no attempt was made, when it is approved or not charged, and while it is undecided: at once when the customer is at the bank or
-- a person has to decide, and after a minute when nobody knows. A decline counts, also one that comes after that. Neither table is in the write-ahead
-- log, so in a transaction of its own this waits for no disk, and the payments of one address do not wait for each other's.
-- +goose StatementBegin
CREATE FUNCTION limit_settle(tried uuid) RETURNS void LANGUAGE sql AS $$
    WITH a AS (
        SELECT a.state, a.client_code, a.created_at FROM attempt a WHERE a.id = tried
    ), ended AS (
        DELETE FROM limit_try r
        WHERE r.attempt = tried AND coalesce((SELECT a.state IN ('approved', 'declined', 'not_charged') FROM a), true)
        RETURNING r.address, r.card, r.since, r.open
    ), undecided AS (
        UPDATE limit_try r SET open = false FROM a
        WHERE r.attempt = tried AND r.open AND (a.state IN ('redirected', 'manual')
            OR a.state IN ('submitting', 'unknown') AND a.created_at < now() - interval '1 minute')
        RETURNING r.address, r.card, r.since
    ), r AS (
        SELECT e.address, e.card, e.since, e.open, coalesce(a.state, '') AS state, a.client_code FROM ended e LEFT JOIN a ON true
        UNION ALL
        SELECT u.address, u.card, u.since, true, '', NULL FROM undecided u
    )
    UPDATE limit_address l
    SET open = greatest(l.open - r.open::int, 0),
        approved = l.approved + (r.state = 'approved')::int,
        declined = l.declined + (r.state = 'declined')::int,
        cards = CASE WHEN r.open = (r.state = 'declined') THEN l.cards WHEN r.open THEN limit_without(l.cards, r.card) ELSE l.cards || r.card END,
        clients = CASE WHEN r.state = 'declined' AND NOT r.client_code = ANY (l.clients) THEN l.clients || r.client_code ELSE l.clients END
    FROM r WHERE l.address = r.address AND l.since <= r.since
$$;
-- +goose StatementEnd

-- What paid orders give back to the limit on unpaid orders of their network. As above, the row of a network must not be locked while a
-- payment waits for a disk, so the trigger writes down what origin_settle then gives back.
CREATE UNLOGGED TABLE paid_origin (
    transaction_id text PRIMARY KEY,
    origin         bytea NOT NULL,
    created_at     timestamptz NOT NULL
);

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION transaction_forget_origin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.approved_attempt IS NOT NULL THEN
        INSERT INTO paid_origin VALUES (OLD.id, OLD.origin, OLD.created_at) ON CONFLICT DO NOTHING;
    END IF;
    NEW.origin := NULL;
    RETURN NEW;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION origin_settle(paid text) RETURNS void LANGUAGE sql AS $$
    WITH p AS (DELETE FROM paid_origin WHERE transaction_id = paid RETURNING origin, created_at)
    UPDATE throttle t SET count = t.count - 1 FROM p
    WHERE t.subject = 'unpaid orders' AND t.key = p.origin AND t.since <= p.created_at AND t.count > 0
$$;
-- +goose StatementEnd

-- Whether a person may decide an attempt: it waits for one, or it has had no outcome for 5 minutes or was sent to none of gateways.
-- +goose StatementBegin
CREATE FUNCTION attempt_waits(state text, created_at timestamptz, gateway text, gateways text[]) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT state = 'manual' OR state IN ('submitting', 'redirected', 'unknown')
        AND (created_at < now() - interval '5 minutes' OR coalesce(gateway <> ALL(gateways), false))
$$;
-- +goose StatementEnd

-- What a person has to look at in payouts, until somebody accepts the payout: lines that are unknown here or in another payout, a sum
-- that is wrong, an id that came again with other figures.
CREATE VIEW payout_in_doubt AS
    SELECT p.id AS payout_id, l.reference, l.kind
    FROM payout_line l JOIN payout p ON p.id = l.payout_id
    WHERE l.kind IN ('unknown', 'again') AND p.accepted_at IS NULL
    UNION ALL
    SELECT p.id, '', 'sum'
    FROM payout p WHERE (p.held_minor <> p.gross_minor OR p.net_minor <> p.gross_minor - p.fees_minor) AND p.accepted_at IS NULL
    UNION ALL
    SELECT p.id, '', 'repeated'
    FROM payout p WHERE p.repeated <> '' AND p.accepted_at IS NULL;

-- +goose Down
DROP VIEW payout_in_doubt;
DROP FUNCTION attempt_waits;
DROP FUNCTION origin_settle;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION transaction_forget_origin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.approved_attempt IS NOT NULL THEN
        UPDATE throttle SET count = count - 1
        WHERE subject = 'unpaid orders' AND key = OLD.origin AND since <= OLD.created_at AND count > 0;
    END IF;
    NEW.origin := NULL;
    RETURN NEW;
END $$;
-- +goose StatementEnd
DROP TABLE paid_origin;
DROP FUNCTION limit_settle;
