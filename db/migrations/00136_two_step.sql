-- +goose Up

-- The key of an account's one-time codes (RFC 6238), sealed. It counts once a first code has confirmed it.
CREATE TABLE totp (
    account_id   uuid PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    sealed       bytea NOT NULL,
    setup_by     uuid NOT NULL,              -- handle of the session that sets it up: no other one sees the key
    last_step    bigint NOT NULL DEFAULT 0,  -- the 30 seconds, since 1970, whose code was used last: codes up to it are spent
    created_at   timestamptz NOT NULL DEFAULT now(),
    confirmed_at timestamptz
);

CREATE INDEX totp_unconfirmed ON totp (created_at) WHERE confirmed_at IS NULL;

-- Codes that each replace one one-time code.
CREATE TABLE recovery_code (
    account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    code_hash  bytea NOT NULL CHECK (length(code_hash) = 32),
    used_at    timestamptz,
    PRIMARY KEY (account_id, code_hash)
);

-- A browser whose person has typed the right password and not yet a code. It is no session and opens nothing; the browser knows the id
-- whose hash is here.
CREATE TABLE half_session (
    id_hash    bytea PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX half_session_account ON half_session (account_id);
CREATE INDEX half_session_age ON half_session (created_at);

-- What a session was opened with beside the password: '' nothing, else 'code' or 'recovery'. A session of the previous version has
-- nothing, and ends where its account has one-time codes.
ALTER TABLE session ADD COLUMN factor text NOT NULL DEFAULT '';

-- +goose Down
ALTER TABLE session DROP COLUMN factor;
DROP TABLE half_session, recovery_code, totp;
