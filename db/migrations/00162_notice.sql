-- +goose Up

-- The notices that a member of a team chose. Without a row, notice.Default of the role applies. Rows are deleted with the membership, which
-- a change to a role with fewer rights replaces.
CREATE TABLE notice_choice (
    client_code text NOT NULL,
    account_id  uuid NOT NULL,
    kind        text NOT NULL,
    mail        boolean NOT NULL,
    push        boolean NOT NULL,
    PRIMARY KEY (client_code, account_id, kind),
    FOREIGN KEY (client_code, account_id) REFERENCES client_admin (client_code, account_id) ON DELETE CASCADE
);

-- The browsers that show a person's messages.
CREATE TABLE notice_browser (
    push_key   text PRIMARY KEY REFERENCES push_registration (key) ON DELETE CASCADE,
    account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    added_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX notice_browser_account ON notice_browser (account_id);

-- For each business and kind of notice, its team has not been told of the events after after_number. due_at is when it may be told; null
-- means that there are none.
CREATE TABLE notice_due (
    client_code  text NOT NULL,
    kind         text NOT NULL,
    after_number bigint NOT NULL,
    due_at       timestamptz,
    told_at      timestamptz,
    PRIMARY KEY (client_code, kind)
);
CREATE INDEX notice_due_at ON notice_due (due_at) WHERE due_at IS NOT NULL;

-- The last day for which a business got its summary.
CREATE TABLE notice_day (
    client_code text PRIMARY KEY REFERENCES client (code) ON DELETE CASCADE,
    day         date NOT NULL
);

-- +goose Down
DROP TABLE notice_day, notice_due, notice_browser, notice_choice;
