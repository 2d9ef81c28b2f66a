-- +goose Up

-- A passkey of an account (WebAuthn): its public half. The private one never leaves the person's device or password manager.
CREATE TABLE passkey (
    id            uuid PRIMARY KEY,
    account_id    uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    credential_id bytea NOT NULL UNIQUE CHECK (length(credential_id) BETWEEN 16 AND 1023),
    public_key    bytea NOT NULL CHECK (length(public_key) <= 4096),
    rp_id         text NOT NULL,                   -- the name of the site that it is for
    name          text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
    flags         smallint NOT NULL,               -- of the authenticator data, as it last was
    sign_count    bigint NOT NULL,                 -- grows with each use, or stays 0
    transports    text[] NOT NULL DEFAULT '{}',
    created_at    timestamptz NOT NULL DEFAULT now(),
    used_at       timestamptz
);

CREATE INDEX passkey_account ON passkey (account_id);

-- What a browser was asked to sign with a passkey. Its holder answers it once, within five minutes. The holder is the session that it was
-- made in, or the hash of a browser's cookie.
CREATE TABLE passkey_challenge (
    challenge  bytea PRIMARY KEY,
    purpose    text NOT NULL CHECK (purpose IN ('sign in', 'add', 'prove')),
    holder     bytea NOT NULL,
    state      bytea NOT NULL, -- the rest of the question, as JSON
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX passkey_challenge_age ON passkey_challenge (created_at);

-- Whether an account needs more than its password to sign in: it has one-time codes, or it has a passkey and may not be without a second step.
-- +goose StatementBegin
CREATE FUNCTION has_second_step(person uuid) RETURNS boolean LANGUAGE sql STABLE AS
$$ SELECT EXISTS (SELECT FROM totp t WHERE t.account_id = person AND t.confirmed_at IS NOT NULL)
    OR EXISTS (SELECT FROM passkey p WHERE p.account_id = person) AND needs_two_step(person) $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION has_second_step;
DROP TABLE passkey_challenge, passkey;
