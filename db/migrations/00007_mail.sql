-- +goose Up

-- Every mail, from when it is written. Without a mail server this is the outbox; what a mail server has taken keeps no text.
CREATE TABLE mail (
    id         uuid PRIMARY KEY,
    key        text NOT NULL UNIQUE, -- what it tells to whom, so that it is written once
    kind       text NOT NULL,
    message_id text NOT NULL UNIQUE,
    sender     text NOT NULL,
    recipient  text NOT NULL,
    bcc        text NOT NULL DEFAULT '',
    subject    text NOT NULL,
    plain      text NOT NULL,
    html       text NOT NULL,
    file_name  text NOT NULL DEFAULT '',
    file       bytea,
    test_mode  boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    sent_at    timestamptz, -- when a mail server took it
    problem    text NOT NULL DEFAULT '', -- why a mail server will never take it
    CHECK ((file IS NULL) = (file_name = ''))
);

CREATE INDEX mail_age ON mail (created_at);

-- +goose Down
DROP TABLE mail;
