-- +goose Up

-- What is to be paid. Who moves a status is in docs/states.md; a status that no page knows is shown as text.
CREATE TABLE transaction (
    id               text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{22,36}$'),
    client_code      text NOT NULL REFERENCES client (code),
    status           text NOT NULL DEFAULT 'new' CHECK (status ~ '^[a-z_]{1,32}$'),
    amount_minor     bigint NOT NULL CHECK (amount_minor > 0 AND amount_minor <= 99999999),
    currency         text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    country_code     text NOT NULL CHECK (country_code ~ '^[A-Z]{2}$'),
    test_mode        boolean NOT NULL,
    description      text NOT NULL DEFAULT '',
    source           text NOT NULL DEFAULT '',
    client_ref       text NOT NULL DEFAULT '',
    trx_ref          text NOT NULL DEFAULT '',
    table_name       text NOT NULL DEFAULT '' CHECK (length(table_name) <= 64),
    customer_name    text NOT NULL DEFAULT '' CHECK (length(customer_name) <= 64),
    push_token       text NOT NULL DEFAULT '',
    approved_attempt uuid,
    transactionid    text NOT NULL DEFAULT '',
    code             text NOT NULL DEFAULT '',
    error_msg        text NOT NULL DEFAULT '',
    created_at       timestamptz NOT NULL DEFAULT now(),
    expires_at       timestamptz, -- null: never
    paid_at          timestamptz,
    UNIQUE (id, client_code),
    UNIQUE (id, client_code, amount_minor, currency, test_mode),
    CONSTRAINT transaction_paid_has_attempt
        CHECK ((approved_attempt IS NOT NULL) = (status IN ('success', 'completed', 'paid'))),
    CONSTRAINT transaction_paid_has_time CHECK ((paid_at IS NOT NULL) = (approved_attempt IS NOT NULL))
);

CREATE INDEX transaction_unpaid ON transaction (expires_at) WHERE status = 'new' AND expires_at IS NOT NULL;

-- One line of an order, at the name and price it was bought at.
CREATE TABLE order_line (
    transaction_id text NOT NULL,
    line_no        integer NOT NULL CHECK (line_no > 0),
    client_code    text NOT NULL,
    item_id        bigint, -- null once the item is gone from the menu
    name           text NOT NULL,
    price_minor    bigint NOT NULL CHECK (price_minor > 0),
    qty            integer NOT NULL CHECK (qty BETWEEN 1 AND 99),
    loc            text NOT NULL,
    picture        text NOT NULL DEFAULT '',
    status         text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'done', 'cancelled')),
    done_at        timestamptz,
    PRIMARY KEY (transaction_id, line_no),
    FOREIGN KEY (transaction_id, client_code) REFERENCES transaction (id, client_code) ON DELETE CASCADE,
    FOREIGN KEY (item_id) REFERENCES item (id) ON DELETE SET NULL,
    CHECK ((done_at IS NOT NULL) = (status = 'done'))
);

CREATE INDEX order_line_item ON order_line (item_id);

-- Which order an Idempotency-Key made. Rows live for a day.
CREATE TABLE order_key (
    client_code    text NOT NULL,
    key            text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
    content_hash   bytea NOT NULL,
    transaction_id text NOT NULL,
    created_at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (client_code, key),
    FOREIGN KEY (transaction_id, client_code) REFERENCES transaction (id, client_code) ON DELETE CASCADE
);

CREATE INDEX order_key_age ON order_key (created_at);
CREATE INDEX order_key_transaction ON order_key (transaction_id);

-- One try at the gateway. Its id is the gateway's reference, sent once and never again.
CREATE TABLE attempt (
    id                  uuid PRIMARY KEY,
    transaction_id      text NOT NULL,
    client_code         text NOT NULL,
    amount_minor        bigint NOT NULL CHECK (amount_minor > 0),
    currency            text NOT NULL,
    test_mode           boolean NOT NULL,
    method              text NOT NULL CHECK (method IN ('card', 'gpay', 'apple')),
    form_key            text NOT NULL CHECK (length(form_key) BETWEEN 1 AND 255),
    state               text NOT NULL DEFAULT 'submitting' CHECK (state IN
                        ('submitting', 'redirected', 'unknown', 'manual', 'approved', 'declined', 'not_charged')),
    lease_until         timestamptz NOT NULL,
    checks              integer NOT NULL DEFAULT 0,
    redirect_url        text NOT NULL DEFAULT '',
    transactionid       text, -- the gateway's; null where it gave none
    code                text NOT NULL DEFAULT '',
    bank_transaction_no text NOT NULL DEFAULT '',
    gateway_reference   text NOT NULL DEFAULT '',
    error_msg           text NOT NULL DEFAULT '',
    card_brand          text NOT NULL DEFAULT '',
    card_last_four      text NOT NULL DEFAULT '' CHECK (card_last_four ~ '^([0-9]{4})?$'),
    card_expiry         text NOT NULL DEFAULT '' CHECK (card_expiry ~ '^([0-9]{2}/[0-9]{2})?$'),
    payer_name          text NOT NULL DEFAULT '',
    payer_email         text NOT NULL DEFAULT '',
    created_at          timestamptz NOT NULL DEFAULT now(),
    settled_at          timestamptz,
    UNIQUE (transaction_id, form_key),
    UNIQUE (id, transaction_id),
    FOREIGN KEY (transaction_id, client_code, amount_minor, currency, test_mode)
        REFERENCES transaction (id, client_code, amount_minor, currency, test_mode),
    CHECK (transactionid <> ''),
    CONSTRAINT attempt_settled_has_time
        CHECK ((settled_at IS NOT NULL) = (state IN ('approved', 'declined', 'not_charged')))
);

-- At most one attempt of a transaction may hold or have taken money.
CREATE UNIQUE INDEX attempt_one_open ON attempt (transaction_id)
    WHERE state IN ('submitting', 'redirected', 'unknown', 'approved', 'manual');
CREATE UNIQUE INDEX attempt_gateway_transactionid ON attempt (transactionid) WHERE state = 'approved';
CREATE INDEX attempt_sweep ON attempt (lease_until) WHERE state IN ('submitting', 'redirected', 'unknown');

ALTER TABLE transaction ADD CONSTRAINT transaction_approved_attempt
    FOREIGN KEY (approved_attempt, id) REFERENCES attempt (id, transaction_id);

-- Something the gateway said that does not fit what was settled. Every row is an alarm.
CREATE TABLE discrepancy (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    attempt_id uuid NOT NULL REFERENCES attempt (id),
    ours       text NOT NULL,
    theirs     text NOT NULL,
    detail     text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL DEFAULT now(),
    -- The same contradiction told twice is one alarm.
    UNIQUE (attempt_id, ours, theirs)
);

-- +goose Down
ALTER TABLE transaction DROP CONSTRAINT transaction_approved_attempt;
DROP TABLE discrepancy, attempt, order_key, order_line, transaction;
