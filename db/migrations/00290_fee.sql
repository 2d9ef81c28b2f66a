-- +goose Up

-- What the provider charges: of every shop, in Australian dollars, and of one shop in its currency instead. Nothing was agreed where no row is.
CREATE TABLE fee (
    shop_code     text REFERENCES shop ON DELETE CASCADE, -- null: every shop
    rate          bigint NOT NULL CHECK (rate BETWEEN 0 AND 10000), -- of a payment, in hundredths of a percent
    fixed_minor   bigint NOT NULL CHECK (fixed_minor >= 0), -- for a payment
    monthly_minor bigint NOT NULL CHECK (monthly_minor >= 0),
    gst_added     boolean NOT NULL, -- to the fees; else they include it
    demo          boolean NOT NULL DEFAULT false -- an example, which no other site shows
);
CREATE UNIQUE INDEX fee_shop ON fee ((coalesce(shop_code, '')));

-- What the fees of a payout were to be when it was listed, and whether what it deducts is so far from it that staff look: a gateway's test mode
-- deducts what it likes.
ALTER TABLE payout ADD COLUMN rated_minor bigint, -- null: no fees were set
    ADD COLUMN misrated boolean NOT NULL DEFAULT false;
CREATE INDEX payout_misrated ON payout (paid_at) WHERE misrated;
CREATE OR REPLACE VIEW payout_in_doubt AS
    SELECT l.payout, l.reference, l.kind
    FROM payout_line l JOIN payout p ON p.number = l.payout
    WHERE l.kind IN ('unknown', 'again') AND p.accepted_at IS NULL
    UNION ALL
    SELECT p.number, '', 'sum'
    FROM payout p WHERE (p.held_minor <> p.gross_minor OR p.net_minor <> p.gross_minor - p.fees_minor) AND p.accepted_at IS NULL
    UNION ALL
    SELECT p.number, '', 'repeated'
    FROM payout p WHERE p.repeated AND p.accepted_at IS NULL
    UNION ALL
    SELECT p.number, '', 'fees'
    FROM payout p WHERE p.misrated AND p.accepted_at IS NULL;

-- +goose Down
CREATE OR REPLACE VIEW payout_in_doubt AS
    SELECT l.payout, l.reference, l.kind
    FROM payout_line l JOIN payout p ON p.number = l.payout
    WHERE l.kind IN ('unknown', 'again') AND p.accepted_at IS NULL
    UNION ALL
    SELECT p.number, '', 'sum'
    FROM payout p WHERE (p.held_minor <> p.gross_minor OR p.net_minor <> p.gross_minor - p.fees_minor) AND p.accepted_at IS NULL
    UNION ALL
    SELECT p.number, '', 'repeated'
    FROM payout p WHERE p.repeated AND p.accepted_at IS NULL;
ALTER TABLE payout DROP COLUMN misrated, DROP COLUMN rated_minor;
DROP TABLE fee;
