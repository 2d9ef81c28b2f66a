-- +goose Up

-- A live payment counts as declined from before it is sent. It stops counting while it is undecided: at once when the customer is at
-- the bank or the gateway captured another amount, and after a minute when nobody knows. If it is declined after that, it counts
-- again.
ALTER TABLE limit_try ADD COLUMN open boolean NOT NULL DEFAULT true;

-- +goose StatementBegin
CREATE FUNCTION limit_release(of uuid) RETURNS void LANGUAGE sql AS $$
    WITH r AS (
        UPDATE limit_try SET open = false WHERE attempt = of AND open RETURNING address, card, since
    )
    UPDATE limit_address l SET open = greatest(l.open - 1, 0), cards = limit_without(l.cards, r.card)
    FROM r WHERE l.address = r.address AND l.since <= r.since
$$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION limit_release;
ALTER TABLE limit_try DROP COLUMN open;
