-- +goose NO TRANSACTION
-- +goose Up

-- What the version before no longer names. Each statement waits for its own tables alone, as in 00211.
DROP TRIGGER IF EXISTS compliance_counts ON compliance;
DROP FUNCTION IF EXISTS compliance_counts();
DROP TABLE IF EXISTS shop_record;
DROP TRIGGER IF EXISTS attempt_hashes ON attempt;
DROP FUNCTION IF EXISTS attempt_forget_hashes();
ALTER TABLE attempt DROP COLUMN IF EXISTS card_hash, DROP COLUMN IF EXISTS address_hash;
ALTER TABLE proposal DROP COLUMN IF EXISTS moved;
DROP FUNCTION IF EXISTS limit_release(uuid);

-- +goose Down
-- +goose StatementBegin
CREATE FUNCTION limit_release(of uuid) RETURNS void LANGUAGE sql AS $$
    WITH r AS (
        UPDATE limit_try SET open = false WHERE attempt = of AND open RETURNING address, card, since
    )
    UPDATE limit_address l SET open = greatest(l.open - 1, 0), cards = limit_without(l.cards, r.card)
    FROM r WHERE l.address = r.address AND l.since <= r.since
$$;
-- +goose StatementEnd
ALTER TABLE proposal ADD COLUMN moved boolean NOT NULL DEFAULT false;
ALTER TABLE attempt ADD COLUMN card_hash bytea, ADD COLUMN address_hash bytea;
-- +goose StatementBegin
CREATE FUNCTION attempt_forget_hashes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.card_hash := NULL;
    NEW.address_hash := NULL;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER attempt_hashes BEFORE INSERT ON attempt
    FOR EACH ROW WHEN (NEW.card_hash IS NOT NULL OR NEW.address_hash IS NOT NULL) EXECUTE FUNCTION attempt_forget_hashes();

CREATE TABLE shop_record (
    client_code text NOT NULL REFERENCES client (code) ON DELETE CASCADE ON UPDATE CASCADE,
    compliance_id text NOT NULL REFERENCES compliance (id) ON DELETE CASCADE,
    PRIMARY KEY (client_code, compliance_id)
);
CREATE INDEX shop_record_compliance ON shop_record (compliance_id);
INSERT INTO shop_record SELECT client_code, id FROM compliance WHERE client_code IS NOT NULL;
-- +goose StatementBegin
CREATE FUNCTION compliance_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO shop_record (client_code, compliance_id) VALUES (NEW.client_code, NEW.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER compliance_counts AFTER INSERT OR UPDATE OF client_code ON compliance
FOR EACH ROW WHEN (NEW.client_code IS NOT NULL) EXECUTE FUNCTION compliance_counts();
