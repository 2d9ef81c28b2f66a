-- +goose Up

-- What happened to an account, for its owner to read: each sign-in, and each change of how to sign in.
CREATE TABLE account_event (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    kind       text NOT NULL,
    address    text NOT NULL DEFAULT '', -- where it came from, and by which browser; empty for an operator's command
    agent      text NOT NULL DEFAULT '' CHECK (length(agent) <= 400),
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX account_event_account ON account_event (account_id, id);
CREATE INDEX account_event_age ON account_event (created_at);

-- +goose Down
DROP TABLE account_event;
