-- +goose Up
-- A kitchen that is too busy pauses ordering for a few minutes, in test mode too.
ALTER TABLE kitchen_screen ADD COLUMN paused_until timestamptz;
CREATE OR REPLACE VIEW kitchen_closed AS
SELECT s.code AS shop_code FROM shop s
WHERE EXISTS (SELECT FROM kitchen_screen k WHERE k.shop_code = s.code AND k.paused_until > now())
   OR s.live AND s.needs_kitchen AND NOT EXISTS (
    SELECT FROM kitchen_screen k WHERE k.shop_code = s.code AND k.seen_at > now() - interval '10 minutes');

DROP INDEX shop_event_notable;
CREATE INDEX shop_event_notable ON shop_event (shop_code, happened_at)
    WHERE kind IN ('refund.failed', 'refund.large', 'dispute.opened', 'dispute.won', 'dispute.lost', 'payout.paid', 'order.unseen');

-- A paid order that no kitchen screen shows is an event, at most once in an hour.
-- +goose StatementBegin
CREATE FUNCTION order_unseen() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'public', 'pg_temp' AS $$
BEGIN
    INSERT INTO shop_event (shop_code, subject, kind, about, amount_minor, currency, test_mode)
    SELECT NEW.shop_code, NEW.id, 'order.unseen', NEW.id, NEW.amount_minor, NEW.currency, false
    WHERE NEW.paid_at > now() - interval '10 minutes' -- not one that is booked later
      AND NOT EXISTS (SELECT FROM kitchen_screen k WHERE k.shop_code = NEW.shop_code AND k.seen_at > now() - interval '10 minutes')
      AND NOT EXISTS (SELECT FROM shop_event e WHERE e.shop_code = NEW.shop_code AND e.kind = 'order.unseen' AND e.happened_at > now() - interval '1 hour');
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER order_unseen AFTER UPDATE OF approved_attempt ON transaction FOR EACH ROW
    WHEN (NEW.kind = 'order' AND NOT NEW.test_mode AND OLD.approved_attempt IS NULL AND NEW.approved_attempt IS NOT NULL)
    EXECUTE FUNCTION order_unseen();

-- +goose Down
DROP TRIGGER order_unseen ON transaction;
DROP FUNCTION order_unseen;
DELETE FROM shop_event WHERE kind = 'order.unseen';
DROP INDEX shop_event_notable;
CREATE INDEX shop_event_notable ON shop_event (shop_code, happened_at)
    WHERE kind IN ('refund.failed', 'refund.large', 'dispute.opened', 'dispute.won', 'dispute.lost', 'payout.paid');
CREATE OR REPLACE VIEW kitchen_closed AS
SELECT s.code AS shop_code FROM shop s
WHERE s.live AND s.needs_kitchen AND NOT EXISTS (
    SELECT FROM kitchen_screen k WHERE k.shop_code = s.code AND k.seen_at > now() - interval '10 minutes');
ALTER TABLE kitchen_screen DROP COLUMN paused_until;
