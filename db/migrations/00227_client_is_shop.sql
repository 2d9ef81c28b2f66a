-- +goose Up
-- A shop has one word: the tables and columns that called it a client are renamed. What the specification calls so at the edge
-- (/pos/{client}, clientRef) stays.

ALTER TABLE client RENAME TO shop;
ALTER TABLE client_account RENAME TO shop_account;
ALTER TABLE client_admin RENAME TO shop_member;
ALTER TABLE client_event RENAME TO shop_event;
ALTER TABLE client_event_last RENAME TO shop_event_last;
ALTER VIEW applied_shop RENAME COLUMN client_code TO shop_code;
ALTER TABLE attempt RENAME COLUMN client_code TO shop_code;
ALTER TABLE awaited RENAME COLUMN client_code TO shop_code;
ALTER TABLE batch RENAME COLUMN client_code TO shop_code;
ALTER TABLE batch_row RENAME COLUMN client_code TO shop_code;
ALTER TABLE category RENAME COLUMN client_code TO shop_code;
ALTER TABLE shop_account RENAME COLUMN client_code TO shop_code;
ALTER TABLE shop_member RENAME COLUMN client_code TO shop_code;
ALTER TABLE shop_event RENAME COLUMN client_code TO shop_code;
ALTER TABLE shop_event_last RENAME COLUMN client_code TO shop_code;
ALTER TABLE closing RENAME COLUMN client_code TO shop_code;
ALTER TABLE closing_entry RENAME COLUMN client_code TO shop_code;
ALTER TABLE compliance RENAME COLUMN client_code TO shop_code;
ALTER TABLE dispute RENAME COLUMN client_code TO shop_code;
ALTER TABLE export RENAME COLUMN client_code TO shop_code;
ALTER TABLE go_live RENAME COLUMN client_code TO shop_code;
ALTER TABLE invite RENAME COLUMN client_code TO shop_code;
ALTER TABLE item RENAME COLUMN client_code TO shop_code;
ALTER TABLE item_option_group RENAME COLUMN client_code TO shop_code;
ALTER VIEW kitchen_closed RENAME COLUMN client_code TO shop_code;
ALTER TABLE kitchen_device RENAME COLUMN client_code TO shop_code;
ALTER TABLE kitchen_screen RENAME COLUMN client_code TO shop_code;
ALTER VIEW known_owner RENAME COLUMN client_code TO shop_code;
ALTER TABLE menu_draft RENAME COLUMN client_code TO shop_code;
ALTER TABLE menu_edit RENAME COLUMN client_code TO shop_code;
ALTER TABLE menu_version RENAME COLUMN client_code TO shop_code;
ALTER TABLE merchant RENAME COLUMN client_code TO shop_code;
ALTER VIEW movement RENAME COLUMN client_code TO shop_code;
ALTER TABLE notice_choice RENAME COLUMN client_code TO shop_code;
ALTER TABLE notice_day RENAME COLUMN client_code TO shop_code;
ALTER TABLE notice_due RENAME COLUMN client_code TO shop_code;
ALTER TABLE option_choice RENAME COLUMN client_code TO shop_code;
ALTER TABLE option_group RENAME COLUMN client_code TO shop_code;
ALTER TABLE order_key RENAME COLUMN client_code TO shop_code;
ALTER TABLE order_line RENAME COLUMN client_code TO shop_code;
ALTER VIEW owed RENAME COLUMN client_code TO shop_code;
ALTER VIEW own_shop RENAME COLUMN client_code TO shop_code;
ALTER TABLE paylink RENAME COLUMN client_code TO shop_code;
ALTER TABLE payout RENAME COLUMN client_code TO shop_code;
ALTER TABLE picture RENAME COLUMN client_code TO shop_code;
ALTER TABLE receipt RENAME COLUMN client_code TO shop_code;
ALTER TABLE refund RENAME COLUMN client_code TO shop_code;
ALTER TABLE refund_limit RENAME COLUMN client_code TO shop_code;
ALTER VIEW settled_movement RENAME COLUMN client_code TO shop_code;
ALTER TABLE shop_invite RENAME COLUMN client_code TO shop_code;
ALTER TABLE shop_location RENAME COLUMN client_code TO shop_code;
ALTER TABLE shop_table RENAME COLUMN client_code TO shop_code;
ALTER TABLE transaction RENAME COLUMN client_code TO shop_code;
ALTER TABLE unsettled RENAME COLUMN client_code TO shop_code;
ALTER TABLE limit_address RENAME COLUMN clients TO shops;
ALTER FUNCTION client_tell RENAME TO shop_tell;
ALTER FUNCTION client_admin_tell RENAME TO shop_member_tell;
ALTER TRIGGER client_switches ON shop RENAME TO shop_switches;
ALTER TRIGGER client_admin_changes ON shop_member RENAME TO shop_member_changes;
ALTER TRIGGER client_admin_role ON shop_member RENAME TO shop_member_role;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION attempt_tell()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    INSERT INTO shop_event (shop_code, subject, kind, about, amount_minor, currency, test_mode, happened_at)
    VALUES (NEW.shop_code, NEW.transaction_id, CASE NEW.state WHEN 'approved' THEN 'payment.succeeded' ELSE 'payment.failed' END, NEW.id,
            coalesce(NEW.captured_minor, NEW.amount_minor), NEW.currency, NEW.test_mode, coalesce(NEW.settled_at, now()));
    RETURN NULL;
END $function$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION shop_member_tell()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
    member record := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    became text := CASE TG_OP WHEN 'DELETE' THEN 'left' ELSE member.role END;
BEGIN
    UPDATE shop_event SET detail = became
    WHERE shop_code = member.shop_code AND subject = 'team' AND about = member.account_id::text AND happened_at = now() AND number IS NULL;
    IF NOT FOUND THEN
        INSERT INTO shop_event (shop_code, subject, kind, about, detail, test_mode)
        SELECT c.code, 'team', 'team.changed', member.account_id, became, NOT c.live FROM shop c WHERE c.code = member.shop_code;
    END IF;
    RETURN NULL;
END $function$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION shop_tell()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    INSERT INTO shop_event (shop_code, subject, kind, about, test_mode)
    VALUES (NEW.code, 'shop', CASE WHEN NEW.live THEN 'shop.live' ELSE 'shop.test' END, NEW.code, NOT NEW.live);
    RETURN NULL;
END $function$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION dispute_tell()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    INSERT INTO shop_event (shop_code, subject, kind, about, amount_minor, currency, test_mode, happened_at)
    VALUES (NEW.shop_code, NEW.transaction_id, 'dispute.' || NEW.state, NEW.attempt_id, NEW.amount_minor, NEW.currency, NEW.test_mode,
            coalesce(NEW.ended_at, NEW.opened_at));
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
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION menu_of_tables(code text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$ SELECT jsonb_build_object(
    'categories', coalesce((SELECT jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'hours', c.hours, 'items', coalesce((
        SELECT jsonb_agg(jsonb_build_object('id', i.id, 'name', i.name, 'description', i.description, 'priceMinor', i.price_minor, 'picture', i.picture,
            'loc', i.loc, 'available', i.available, 'allergensKnown', i.allergens_known, 'contains', i.contains, 'mayContain', i.may_contain,
            'diets', i.diets, 'hours', i.hours, 'noteMax', i.note_max,
            'groups', ARRAY(SELECT a.group_id FROM item_option_group a WHERE a.shop_code = code AND a.item_id = i.id ORDER BY a.position, a.group_id))
            ORDER BY i.position, i.id)
        FROM item i WHERE i.shop_code = code AND i.category_id = c.id), '[]')) ORDER BY c.position, c.id)
        FROM category c WHERE c.shop_code = code), '[]'),
    'groups', coalesce((SELECT jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'min', g.min_choices, 'max', g.max_choices, 'choices', coalesce((
        SELECT jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name, 'priceMinor', o.price_minor, 'preset', o.preset, 'available', o.available,
            'allergensKnown', o.allergens_known, 'contains', o.contains, 'mayContain', o.may_contain)
            ORDER BY o.position, o.id)
        FROM option_choice o WHERE o.shop_code = code AND o.group_id = g.id), '[]')) ORDER BY g.position, g.id)
        FROM option_group g WHERE g.shop_code = code), '[]')) $function$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION needs_two_step(person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$ SELECT EXISTS (SELECT FROM account a WHERE a.id = person AND a.demo_open IS NULL AND (a.staff OR EXISTS (
        SELECT FROM shop_member m JOIN shop c ON c.code = m.shop_code
        WHERE m.account_id = a.id AND m.role = 'owner' AND c.live AND c.demo_open IS NOT FALSE))) $function$;
-- +goose StatementEnd
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
CREATE OR REPLACE FUNCTION payout_tell()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    INSERT INTO shop_event (shop_code, subject, kind, about, amount_minor, currency, test_mode, happened_at)
    SELECT c.code, NEW.id, 'payout.paid', NEW.id, NEW.net_minor, NEW.currency, NEW.test_mode, NEW.paid_at
    FROM shop c WHERE c.code = NEW.shop_code; -- the gateway may pay a business that is not known here
    RETURN NULL;
END $function$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION refund_tell()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    INSERT INTO shop_event (shop_code, subject, kind, about, amount_minor, currency, test_mode, happened_at)
    VALUES (NEW.shop_code, NEW.transaction_id, CASE NEW.state WHEN 'done' THEN 'payment.refunded' ELSE 'refund.failed' END, NEW.id,
            NEW.amount_minor, NEW.currency, NEW.test_mode, coalesce(NEW.settled_at, now()));
    RETURN NULL;
END $function$;
-- +goose StatementEnd
ALTER INDEX attempt_declined_client RENAME TO attempt_declined_shop;
ALTER INDEX attempt_settled_client RENAME TO attempt_settled_shop;
ALTER INDEX client_admin_account RENAME TO shop_member_account;
ALTER INDEX client_event_notable RENAME TO shop_event_notable;
ALTER INDEX client_event_number RENAME TO shop_event_number;
ALTER INDEX client_event_subject RENAME TO shop_event_subject;
ALTER INDEX client_event_waiting RENAME TO shop_event_waiting;
ALTER INDEX compliance_client RENAME TO compliance_shop;
ALTER INDEX export_client RENAME TO export_shop;
ALTER INDEX invite_client RENAME TO invite_shop;
ALTER INDEX kitchen_device_client RENAME TO kitchen_device_shop;
ALTER INDEX paylink_client RENAME TO paylink_shop;
ALTER INDEX payout_client RENAME TO payout_shop;
ALTER INDEX picture_client RENAME TO picture_shop;

-- +goose Down
ALTER TABLE limit_address RENAME COLUMN shops TO clients;
ALTER INDEX attempt_declined_shop RENAME TO attempt_declined_client;
ALTER INDEX attempt_settled_shop RENAME TO attempt_settled_client;
ALTER INDEX shop_member_account RENAME TO client_admin_account;
ALTER INDEX shop_event_notable RENAME TO client_event_notable;
ALTER INDEX shop_event_number RENAME TO client_event_number;
ALTER INDEX shop_event_subject RENAME TO client_event_subject;
ALTER INDEX shop_event_waiting RENAME TO client_event_waiting;
ALTER INDEX compliance_shop RENAME TO compliance_client;
ALTER INDEX export_shop RENAME TO export_client;
ALTER INDEX invite_shop RENAME TO invite_client;
ALTER INDEX kitchen_device_shop RENAME TO kitchen_device_client;
ALTER INDEX paylink_shop RENAME TO paylink_client;
ALTER INDEX payout_shop RENAME TO payout_client;
ALTER INDEX picture_shop RENAME TO picture_client;
ALTER FUNCTION shop_tell RENAME TO client_tell;
ALTER FUNCTION shop_member_tell RENAME TO client_admin_tell;
ALTER TRIGGER shop_switches ON shop RENAME TO client_switches;
ALTER TRIGGER shop_member_changes ON shop_member RENAME TO client_admin_changes;
ALTER TRIGGER shop_member_role ON shop_member RENAME TO client_admin_role;
ALTER VIEW applied_shop RENAME COLUMN shop_code TO client_code;
ALTER TABLE attempt RENAME COLUMN shop_code TO client_code;
ALTER TABLE awaited RENAME COLUMN shop_code TO client_code;
ALTER TABLE batch RENAME COLUMN shop_code TO client_code;
ALTER TABLE batch_row RENAME COLUMN shop_code TO client_code;
ALTER TABLE category RENAME COLUMN shop_code TO client_code;
ALTER TABLE shop_account RENAME COLUMN shop_code TO client_code;
ALTER TABLE shop_member RENAME COLUMN shop_code TO client_code;
ALTER TABLE shop_event RENAME COLUMN shop_code TO client_code;
ALTER TABLE shop_event_last RENAME COLUMN shop_code TO client_code;
ALTER TABLE closing RENAME COLUMN shop_code TO client_code;
ALTER TABLE closing_entry RENAME COLUMN shop_code TO client_code;
ALTER TABLE compliance RENAME COLUMN shop_code TO client_code;
ALTER TABLE dispute RENAME COLUMN shop_code TO client_code;
ALTER TABLE export RENAME COLUMN shop_code TO client_code;
ALTER TABLE go_live RENAME COLUMN shop_code TO client_code;
ALTER TABLE invite RENAME COLUMN shop_code TO client_code;
ALTER TABLE item RENAME COLUMN shop_code TO client_code;
ALTER TABLE item_option_group RENAME COLUMN shop_code TO client_code;
ALTER VIEW kitchen_closed RENAME COLUMN shop_code TO client_code;
ALTER TABLE kitchen_device RENAME COLUMN shop_code TO client_code;
ALTER TABLE kitchen_screen RENAME COLUMN shop_code TO client_code;
ALTER VIEW known_owner RENAME COLUMN shop_code TO client_code;
ALTER TABLE menu_draft RENAME COLUMN shop_code TO client_code;
ALTER TABLE menu_edit RENAME COLUMN shop_code TO client_code;
ALTER TABLE menu_version RENAME COLUMN shop_code TO client_code;
ALTER TABLE merchant RENAME COLUMN shop_code TO client_code;
ALTER VIEW movement RENAME COLUMN shop_code TO client_code;
ALTER TABLE notice_choice RENAME COLUMN shop_code TO client_code;
ALTER TABLE notice_day RENAME COLUMN shop_code TO client_code;
ALTER TABLE notice_due RENAME COLUMN shop_code TO client_code;
ALTER TABLE option_choice RENAME COLUMN shop_code TO client_code;
ALTER TABLE option_group RENAME COLUMN shop_code TO client_code;
ALTER TABLE order_key RENAME COLUMN shop_code TO client_code;
ALTER TABLE order_line RENAME COLUMN shop_code TO client_code;
ALTER VIEW owed RENAME COLUMN shop_code TO client_code;
ALTER VIEW own_shop RENAME COLUMN shop_code TO client_code;
ALTER TABLE paylink RENAME COLUMN shop_code TO client_code;
ALTER TABLE payout RENAME COLUMN shop_code TO client_code;
ALTER TABLE picture RENAME COLUMN shop_code TO client_code;
ALTER TABLE receipt RENAME COLUMN shop_code TO client_code;
ALTER TABLE refund RENAME COLUMN shop_code TO client_code;
ALTER TABLE refund_limit RENAME COLUMN shop_code TO client_code;
ALTER VIEW settled_movement RENAME COLUMN shop_code TO client_code;
ALTER TABLE shop_invite RENAME COLUMN shop_code TO client_code;
ALTER TABLE shop_location RENAME COLUMN shop_code TO client_code;
ALTER TABLE shop_table RENAME COLUMN shop_code TO client_code;
ALTER TABLE transaction RENAME COLUMN shop_code TO client_code;
ALTER TABLE unsettled RENAME COLUMN shop_code TO client_code;
ALTER TABLE shop RENAME TO client;
ALTER TABLE shop_account RENAME TO client_account;
ALTER TABLE shop_member RENAME TO client_admin;
ALTER TABLE shop_event RENAME TO client_event;
ALTER TABLE shop_event_last RENAME TO client_event_last;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION attempt_tell()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    INSERT INTO client_event (client_code, subject, kind, about, amount_minor, currency, test_mode, happened_at)
    VALUES (NEW.client_code, NEW.transaction_id, CASE NEW.state WHEN 'approved' THEN 'payment.succeeded' ELSE 'payment.failed' END, NEW.id,
            coalesce(NEW.captured_minor, NEW.amount_minor), NEW.currency, NEW.test_mode, coalesce(NEW.settled_at, now()));
    RETURN NULL;
END $function$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION client_admin_tell()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
    member record := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
    became text := CASE TG_OP WHEN 'DELETE' THEN 'left' ELSE member.role END;
BEGIN
    UPDATE client_event SET detail = became
    WHERE client_code = member.client_code AND subject = 'team' AND about = member.account_id::text AND happened_at = now() AND number IS NULL;
    IF NOT FOUND THEN
        INSERT INTO client_event (client_code, subject, kind, about, detail, test_mode)
        SELECT c.code, 'team', 'team.changed', member.account_id, became, NOT c.live FROM client c WHERE c.code = member.client_code;
    END IF;
    RETURN NULL;
END $function$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION client_tell()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    INSERT INTO client_event (client_code, subject, kind, about, test_mode)
    VALUES (NEW.code, 'shop', CASE WHEN NEW.live THEN 'shop.live' ELSE 'shop.test' END, NEW.code, NOT NEW.live);
    RETURN NULL;
END $function$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION dispute_tell()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    INSERT INTO client_event (client_code, subject, kind, about, amount_minor, currency, test_mode, happened_at)
    VALUES (NEW.client_code, NEW.transaction_id, 'dispute.' || NEW.state, NEW.attempt_id, NEW.amount_minor, NEW.currency, NEW.test_mode,
            coalesce(NEW.ended_at, NEW.opened_at));
    RETURN NULL;
END $function$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION limit_settle(tried uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
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
$function$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION menu_of_tables(code text)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$ SELECT jsonb_build_object(
    'categories', coalesce((SELECT jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'hours', c.hours, 'items', coalesce((
        SELECT jsonb_agg(jsonb_build_object('id', i.id, 'name', i.name, 'description', i.description, 'priceMinor', i.price_minor, 'picture', i.picture,
            'loc', i.loc, 'available', i.available, 'allergensKnown', i.allergens_known, 'contains', i.contains, 'mayContain', i.may_contain,
            'diets', i.diets, 'hours', i.hours, 'noteMax', i.note_max,
            'groups', ARRAY(SELECT a.group_id FROM item_option_group a WHERE a.client_code = code AND a.item_id = i.id ORDER BY a.position, a.group_id))
            ORDER BY i.position, i.id)
        FROM item i WHERE i.client_code = code AND i.category_id = c.id), '[]')) ORDER BY c.position, c.id)
        FROM category c WHERE c.client_code = code), '[]'),
    'groups', coalesce((SELECT jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'min', g.min_choices, 'max', g.max_choices, 'choices', coalesce((
        SELECT jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name, 'priceMinor', o.price_minor, 'preset', o.preset, 'available', o.available,
            'allergensKnown', o.allergens_known, 'contains', o.contains, 'mayContain', o.may_contain)
            ORDER BY o.position, o.id)
        FROM option_choice o WHERE o.client_code = code AND o.group_id = g.id), '[]')) ORDER BY g.position, g.id)
        FROM option_group g WHERE g.client_code = code), '[]')) $function$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION needs_two_step(person uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$ SELECT EXISTS (SELECT FROM account a WHERE a.id = person AND a.demo_open IS NULL AND (a.staff OR EXISTS (
        SELECT FROM client_admin m JOIN client c ON c.code = m.client_code
        WHERE m.account_id = a.id AND m.role = 'owner' AND c.live AND c.demo_open IS NOT FALSE))) $function$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION order_tell()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    INSERT INTO client_event (client_code, subject, kind, about, amount_minor, currency, test_mode, happened_at)
    VALUES (NEW.client_code, NEW.id, CASE TG_OP WHEN 'INSERT' THEN 'order.made' ELSE 'order.done' END, NEW.id,
            coalesce(NEW.captured_minor, NEW.amount_minor), NEW.currency, NEW.test_mode,
            CASE TG_OP WHEN 'INSERT' THEN NEW.created_at ELSE now() END);
    RETURN NULL;
END $function$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION payout_tell()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    INSERT INTO client_event (client_code, subject, kind, about, amount_minor, currency, test_mode, happened_at)
    SELECT c.code, NEW.id, 'payout.paid', NEW.id, NEW.net_minor, NEW.currency, NEW.test_mode, NEW.paid_at
    FROM client c WHERE c.code = NEW.client_code; -- the gateway may pay a business that is not known here
    RETURN NULL;
END $function$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION refund_tell()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
    INSERT INTO client_event (client_code, subject, kind, about, amount_minor, currency, test_mode, happened_at)
    VALUES (NEW.client_code, NEW.transaction_id, CASE NEW.state WHEN 'done' THEN 'payment.refunded' ELSE 'refund.failed' END, NEW.id,
            NEW.amount_minor, NEW.currency, NEW.test_mode, coalesce(NEW.settled_at, now()));
    RETURN NULL;
END $function$;
-- +goose StatementEnd
