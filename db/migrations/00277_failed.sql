-- +goose Up
-- attempt_failed reports whether an attempt counts as declined: a payer who gives up at the bank may be trying a stolen card, too.
-- +goose StatementBegin
CREATE FUNCTION attempt_failed(state text, redirect_url text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$ SELECT state = 'declined' OR state = 'not_charged' AND redirect_url <> '' $function$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION limit_settle(tried uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
    WITH a AS (
        SELECT a.state, a.shop_code, a.created_at, attempt_failed(a.state, a.redirect_url) AS failed FROM attempt a WHERE a.id = tried
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
        SELECT e.address, e.card, e.since, e.open, a.state = 'approved' AS approved, coalesce(a.failed, false) AS failed, a.shop_code
        FROM ended e LEFT JOIN a ON true
        UNION ALL
        SELECT u.address, u.card, u.since, true, false, false, NULL FROM undecided u
    )
    UPDATE limit_address l
    SET open = greatest(l.open - r.open::int, 0),
        approved = l.approved + coalesce(r.approved, false)::int,
        declined = l.declined + r.failed::int,
        cards = CASE WHEN r.open = r.failed THEN l.cards WHEN r.open THEN limit_without(l.cards, r.card) ELSE l.cards || r.card END,
        shops = CASE WHEN r.failed AND NOT r.shop_code = ANY (l.shops) THEN l.shops || r.shop_code ELSE l.shops END
    FROM r WHERE l.address = r.address AND l.since <= r.since
$function$;
-- +goose StatementEnd
-- An order is done once, however often the kitchen takes that back.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION order_tell()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    IF TG_OP = 'UPDATE' AND EXISTS (SELECT FROM shop_event e WHERE e.shop_code = NEW.shop_code AND e.subject = NEW.id AND e.kind = 'order.done') THEN
        RETURN NULL; -- the kitchen took it back meanwhile
    END IF;
    INSERT INTO shop_event (shop_code, subject, kind, about, amount_minor, currency, test_mode, happened_at)
    VALUES (NEW.shop_code, NEW.id, CASE TG_OP WHEN 'INSERT' THEN 'order.made' ELSE 'order.done' END, NEW.id,
            coalesce(NEW.captured_minor, NEW.amount_minor), NEW.currency, NEW.test_mode,
            CASE TG_OP WHEN 'INSERT' THEN NEW.created_at ELSE now() END);
    RETURN NULL;
END $function$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION order_tell()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    INSERT INTO shop_event (shop_code, subject, kind, about, amount_minor, currency, test_mode, happened_at)
    VALUES (NEW.shop_code, NEW.id, CASE TG_OP WHEN 'INSERT' THEN 'order.made' ELSE 'order.done' END, NEW.id,
            coalesce(NEW.captured_minor, NEW.amount_minor), NEW.currency, NEW.test_mode,
            CASE TG_OP WHEN 'INSERT' THEN NEW.created_at ELSE now() END);
    RETURN NULL;
END $function$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION limit_settle(tried uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
    WITH a AS (
        SELECT a.state, a.shop_code, a.created_at FROM attempt a WHERE a.id = tried
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
        SELECT e.address, e.card, e.since, e.open, coalesce(a.state, '') AS state, a.shop_code FROM ended e LEFT JOIN a ON true
        UNION ALL
        SELECT u.address, u.card, u.since, true, '', NULL FROM undecided u
    )
    UPDATE limit_address l
    SET open = greatest(l.open - r.open::int, 0),
        approved = l.approved + (r.state = 'approved')::int,
        declined = l.declined + (r.state = 'declined')::int,
        cards = CASE WHEN r.open = (r.state = 'declined') THEN l.cards WHEN r.open THEN limit_without(l.cards, r.card) ELSE l.cards || r.card END,
        shops = CASE WHEN r.state = 'declined' AND NOT r.shop_code = ANY (l.shops) THEN l.shops || r.shop_code ELSE l.shops END
    FROM r WHERE l.address = r.address AND l.since <= r.since
$function$;
-- +goose StatementEnd
DROP FUNCTION attempt_failed;
