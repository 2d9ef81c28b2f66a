-- +goose Up

-- A form that waits until its sender has signed in again or proved who they are. It is sealed, and sent once. It replaces two tables whose
-- rows waited for an hour at most.
DROP TABLE kept_input, kept_form;

CREATE TABLE kept (
    id         uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    sealed     bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX kept_account ON kept (account_id, created_at);
CREATE INDEX kept_age ON kept (created_at);

-- +goose Down
DROP TABLE kept;

CREATE TABLE kept_form (
    id         uuid PRIMARY KEY,
    session    uuid NOT NULL REFERENCES session (handle) ON DELETE CASCADE,
    sealed     bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX kept_form_session ON kept_form (session);
CREATE INDEX kept_form_age ON kept_form (created_at);

CREATE TABLE kept_input (
    account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    path       text NOT NULL,
    sealed     bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, path)
);

CREATE INDEX kept_input_age ON kept_input (created_at);
