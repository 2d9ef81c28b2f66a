-- +goose Up

-- A person who signs in. Staff review what merchants hand in.
CREATE TABLE account (
    id            uuid PRIMARY KEY,
    email         text NOT NULL UNIQUE CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
    name          text NOT NULL DEFAULT '' CHECK (length(name) <= 100),
    password_hash text NOT NULL,
    staff         boolean NOT NULL DEFAULT false,
    created_at    timestamptz NOT NULL DEFAULT now()
);

-- Who runs a business that sells: the admins list of its document.
CREATE TABLE client_admin (
    client_code text NOT NULL REFERENCES client (code) ON DELETE CASCADE,
    account_id  uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    PRIMARY KEY (client_code, account_id)
);

CREATE INDEX client_admin_account ON client_admin (account_id);

-- A browser that is signed in. It knows the id whose hash is here. A session that timed out stays for a while: it tells
-- whose typing to keep.
CREATE TABLE session (
    id_hash    bytea PRIMARY KEY,
    handle     uuid NOT NULL UNIQUE, -- names it to its owner
    account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    marks      text[] NOT NULL DEFAULT '{}', -- what is remembered until it ends
    address    text NOT NULL DEFAULT '',
    agent      text NOT NULL DEFAULT '' CHECK (length(agent) <= 400),
    created_at timestamptz NOT NULL DEFAULT now(),
    seen_at    timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX session_account ON session (account_id);
CREATE INDEX session_seen ON session (seen_at);

-- A mailed link to a new password, used once.
CREATE TABLE password_reset (
    token_hash bytea PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    expires_at timestamptz NOT NULL,
    used_at    timestamptz
);

CREATE INDEX password_reset_account ON password_reset (account_id);

-- Tries that failed, by what they were tried on and from where. The key is a keyed hash.
CREATE TABLE throttle (
    subject text NOT NULL,
    key     bytea NOT NULL,
    count   integer NOT NULL,
    since   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (subject, key)
);

CREATE INDEX throttle_since ON throttle (since);

-- What somebody sent after the session had timed out, encrypted, to be given back after signing in again.
CREATE TABLE kept_input (
    account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    path       text NOT NULL,
    sealed     bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, path)
);

CREATE INDEX kept_input_age ON kept_input (created_at);

-- +goose Down
DROP TABLE kept_input, throttle, password_reset, session, client_admin, account;
