-- +goose Up

-- Who last changed each part of a menu's draft, and the revision that the draft has had since. A form names the revision that it was made
-- from: saving it cannot undo unseen what somebody else has changed meanwhile. A part that was removed keeps its row.
CREATE TABLE menu_edit (
    client_code text NOT NULL REFERENCES client (code) ON DELETE CASCADE,
    kind        text NOT NULL, -- 'category', 'item', 'group', or 'contents' for a category with its items
    part        bigint NOT NULL, -- its id in the draft
    revision    bigint NOT NULL,
    account_id  uuid NOT NULL,
    changed_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (client_code, kind, part)
);

-- +goose Down
DROP TABLE menu_edit;
