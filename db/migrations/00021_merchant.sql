-- +goose Up

-- What somebody has told so far on the way to a merchant: one at a time per account, gone with the merchant's making.
CREATE TABLE onboarding (
    account_id uuid PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    first_name text NOT NULL DEFAULT '' CHECK (length(first_name) <= 100),
    last_name  text NOT NULL DEFAULT '' CHECK (length(last_name) <= 100),
    name       text NOT NULL DEFAULT '' CHECK (length(name) <= 200), -- of the business
    answers    jsonb NOT NULL DEFAULT '{}', -- question to answer
    preselected text[] NOT NULL DEFAULT '{}', -- product codes that the address asked for
    updated_at timestamptz NOT NULL DEFAULT now()
);

-- A business that integrates. It sells at /pos/{client_code} once it has a menu.
CREATE TABLE merchant (
    uuid        uuid PRIMARY KEY,
    uid         uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE, -- who made it
    code        text NOT NULL UNIQUE CHECK (code ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
    name        text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
    signup_info jsonb NOT NULL DEFAULT '{}',
    products    jsonb NOT NULL DEFAULT '[]', -- [{code, name, options}]
    mid         text NOT NULL UNIQUE, -- the account id of its test credentials
    -- The terminal secret, sealed, and the one before it, which works a while longer. NULL until somebody needs it.
    key_sealed     bytea,
    old_key_sealed bytea,
    old_key_until  timestamptz,
    client_code text UNIQUE REFERENCES client (code) ON DELETE SET NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    UNIQUE (uid, name), -- a submit that arrives twice makes one
    CHECK (client_code = code),
    CHECK ((old_key_sealed IS NULL) = (old_key_until IS NULL))
);

-- The admins list of a merchant's document.
CREATE TABLE merchant_admin (
    merchant_uuid uuid NOT NULL REFERENCES merchant (uuid) ON DELETE CASCADE,
    account_id    uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    PRIMARY KEY (merchant_uuid, account_id)
);

CREATE INDEX merchant_admin_account ON merchant_admin (account_id);

-- A mailed link that makes its reader an admin, once.
CREATE TABLE merchant_invite (
    id            uuid PRIMARY KEY,
    merchant_uuid uuid NOT NULL REFERENCES merchant (uuid) ON DELETE CASCADE,
    email         text NOT NULL CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
    token_hash    bytea UNIQUE CHECK (length(token_hash) = 32), -- made with the letter
    invited_by    uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    created_at    timestamptz NOT NULL DEFAULT now(),
    expires_at    timestamptz NOT NULL,
    used_at       timestamptz,
    UNIQUE (merchant_uuid, email)
);

-- Payments of the test gateway. No money moves, so they are in no other book. Of the card there are the last four digits.
CREATE TABLE test_payment (
    merchant_uuid uuid NOT NULL REFERENCES merchant (uuid) ON DELETE CASCADE,
    reference     text NOT NULL CHECK (reference <> '' AND length(reference) <= 64),
    transactionid text NOT NULL UNIQUE,
    amount_minor  bigint NOT NULL CHECK (amount_minor > 0),
    currency      text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    last_four     text NOT NULL CHECK (length(last_four) <= 4),
    statuscode    text NOT NULL,
    errordesc     text NOT NULL,
    code          text NOT NULL,
    bank_no       text NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (merchant_uuid, reference)
);

-- Calls to the test gateway, the last hundred of a merchant. Bodies come redacted.
CREATE TABLE test_call (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    merchant_uuid uuid NOT NULL REFERENCES merchant (uuid) ON DELETE CASCADE,
    at            timestamptz NOT NULL DEFAULT now(),
    method        text NOT NULL,
    path          text NOT NULL,
    status        integer NOT NULL CHECK (status BETWEEN 100 AND 599),
    body          text NOT NULL,
    note          text NOT NULL -- why it was refused; empty when it was not
);

CREATE INDEX test_call_merchant ON test_call (merchant_uuid, id);

-- +goose Down
DROP TABLE test_call, test_payment, merchant_invite, merchant_admin, merchant, onboarding;
