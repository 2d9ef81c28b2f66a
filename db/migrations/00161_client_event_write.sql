-- +goose NO TRANSACTION
-- +goose Up

-- Triggers write the events: however a payment ends, in this version or in the previous one beside it, its event commits with it or not
-- at all. A trigger writes one row, and only when a state is final. Each statement can be repeated, in case a later one is interrupted.

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION attempt_tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO client_event (client_code, subject, kind, about, amount_minor, currency, test_mode, happened_at)
    VALUES (NEW.client_code, NEW.transaction_id, CASE NEW.state WHEN 'approved' THEN 'payment.succeeded' ELSE 'payment.failed' END, NEW.id,
            coalesce(NEW.captured_minor, NEW.amount_minor), NEW.currency, NEW.test_mode, coalesce(NEW.settled_at, now()));
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION refund_tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO client_event (client_code, subject, kind, about, amount_minor, currency, test_mode, happened_at)
    VALUES (NEW.client_code, NEW.transaction_id, CASE NEW.state WHEN 'done' THEN 'payment.refunded' ELSE 'refund.failed' END, NEW.id,
            NEW.amount_minor, NEW.currency, NEW.test_mode, coalesce(NEW.settled_at, now()));
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION dispute_tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO client_event (client_code, subject, kind, about, amount_minor, currency, test_mode, happened_at)
    VALUES (NEW.client_code, NEW.transaction_id, 'dispute.' || NEW.state, NEW.attempt_id, NEW.amount_minor, NEW.currency, NEW.test_mode,
            coalesce(NEW.ended_at, NEW.opened_at));
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION payout_tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO client_event (client_code, subject, kind, about, amount_minor, currency, test_mode, happened_at)
    SELECT c.code, NEW.id, 'payout.paid', NEW.id, NEW.net_minor, NEW.currency, NEW.test_mode, NEW.paid_at
    FROM client c WHERE c.code = NEW.client_code; -- the gateway may pay a business that is not known here
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION order_tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO client_event (client_code, subject, kind, about, amount_minor, currency, test_mode, happened_at)
    VALUES (NEW.client_code, NEW.id, CASE TG_OP WHEN 'INSERT' THEN 'order.made' ELSE 'order.done' END, NEW.id,
            coalesce(NEW.captured_minor, NEW.amount_minor), NEW.currency, NEW.test_mode,
            CASE TG_OP WHEN 'INSERT' THEN NEW.created_at ELSE now() END);
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION client_tell() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO client_event (client_code, subject, kind, about, test_mode)
    VALUES (NEW.code, 'shop', CASE WHEN NEW.live THEN 'shop.live' ELSE 'shop.test' END, NEW.code, NOT NEW.live);
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- A new role may delete a row and insert another in one transaction: that is one event, with the new role.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION client_admin_tell() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$;
-- +goose StatementEnd

-- Requests may run as a role that gets its rights to a new table only after all migrations (db.Admit). So the functions run as their
-- owner, with a search path in which nobody else can define names.
-- +goose StatementBegin
DO $$
DECLARE name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['attempt_tell', 'refund_tell', 'dispute_tell', 'payout_tell', 'order_tell', 'client_tell', 'client_admin_tell'] LOOP
        EXECUTE format('ALTER FUNCTION %I() SECURITY DEFINER SET search_path = %I, pg_temp', name, current_schema());
    END LOOP;
END $$;
-- +goose StatementEnd

CREATE OR REPLACE TRIGGER attempt_comes AFTER INSERT ON attempt
    FOR EACH ROW WHEN (NEW.state IN ('approved', 'declined', 'not_charged')) EXECUTE FUNCTION attempt_tell();
CREATE OR REPLACE TRIGGER attempt_ends AFTER UPDATE OF state ON attempt
    FOR EACH ROW WHEN (NEW.state IN ('approved', 'declined', 'not_charged') AND OLD.state <> NEW.state) EXECUTE FUNCTION attempt_tell();
CREATE OR REPLACE TRIGGER refund_comes AFTER INSERT ON refund
    FOR EACH ROW WHEN (NEW.state IN ('done', 'declined')) EXECUTE FUNCTION refund_tell();
CREATE OR REPLACE TRIGGER refund_ends AFTER UPDATE OF state ON refund
    FOR EACH ROW WHEN (NEW.state IN ('done', 'declined') AND OLD.state <> NEW.state) EXECUTE FUNCTION refund_tell();
CREATE OR REPLACE TRIGGER dispute_comes AFTER INSERT ON dispute FOR EACH ROW EXECUTE FUNCTION dispute_tell();
CREATE OR REPLACE TRIGGER dispute_moves AFTER UPDATE OF state ON dispute
    FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION dispute_tell();
CREATE OR REPLACE TRIGGER payout_comes AFTER INSERT ON payout FOR EACH ROW EXECUTE FUNCTION payout_tell();
CREATE OR REPLACE TRIGGER order_comes AFTER INSERT ON transaction
    FOR EACH ROW WHEN (NEW.kind = 'order') EXECUTE FUNCTION order_tell();
CREATE OR REPLACE TRIGGER order_done AFTER UPDATE OF status ON transaction
    FOR EACH ROW WHEN (NEW.status = 'completed' AND OLD.status <> 'completed') EXECUTE FUNCTION order_tell();
CREATE OR REPLACE TRIGGER client_switches AFTER UPDATE OF live ON client
    FOR EACH ROW WHEN (OLD.live <> NEW.live) EXECUTE FUNCTION client_tell();
CREATE OR REPLACE TRIGGER client_admin_changes AFTER INSERT OR DELETE ON client_admin FOR EACH ROW EXECUTE FUNCTION client_admin_tell();
CREATE OR REPLACE TRIGGER client_admin_role AFTER UPDATE OF role ON client_admin
    FOR EACH ROW WHEN (OLD.role <> NEW.role) EXECUTE FUNCTION client_admin_tell();

-- +goose Down
DROP TRIGGER client_admin_role ON client_admin;
DROP TRIGGER client_admin_changes ON client_admin;
DROP TRIGGER client_switches ON client;
DROP TRIGGER order_done ON transaction;
DROP TRIGGER order_comes ON transaction;
DROP TRIGGER payout_comes ON payout;
DROP TRIGGER dispute_moves ON dispute;
DROP TRIGGER dispute_comes ON dispute;
DROP TRIGGER refund_ends ON refund;
DROP TRIGGER refund_comes ON refund;
DROP TRIGGER attempt_ends ON attempt;
DROP TRIGGER attempt_comes ON attempt;
DROP FUNCTION client_admin_tell, client_tell, order_tell, payout_tell, dispute_tell, refund_tell, attempt_tell;
