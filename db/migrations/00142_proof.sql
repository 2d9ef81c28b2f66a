-- +goose Up

-- When the person of a session last proved, after signing in, who they are. Null is at the sign-in.
ALTER TABLE session ADD COLUMN proved_at timestamptz;

-- A form that waits until the person of its session has proved who they are. It is sealed, and sent once.
CREATE TABLE kept_form (
    id         uuid PRIMARY KEY,
    session    uuid NOT NULL REFERENCES session (handle) ON DELETE CASCADE,
    sealed     bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX kept_form_session ON kept_form (session);
CREATE INDEX kept_form_age ON kept_form (created_at);

-- +goose Down
DROP TABLE kept_form;
ALTER TABLE session DROP COLUMN proved_at;
