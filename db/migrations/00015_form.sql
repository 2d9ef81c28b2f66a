-- +goose Up

-- A form that a person fills in over several days and devices, then hands in, and what staff decided. One row per person and
-- form, however long it takes: a step that is saved changes the row in place, for which it has room, and touches no index.
CREATE TABLE form (
    account_id   uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    kind         text NOT NULL CHECK (kind IN ('application', 'wptest', 'ddtest', 'testacc')),
    data         jsonb NOT NULL, -- the answers, by the names of the specification's entity
    reached      smallint NOT NULL DEFAULT 0 CHECK (reached >= 0), -- the step after the last one saved
    state        text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'submitted', 'returned', 'approved', 'declined')),
    reference    text UNIQUE CHECK (reference ~ '^[AWDT]-[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{2}$'),
    handed_in    integer NOT NULL DEFAULT 0, -- how often
    submitted_at timestamptz,                -- the last time
    decided_at   timestamptz,
    decided_by   text NOT NULL DEFAULT '',
    reason       text NOT NULL DEFAULT '' CHECK (length(reason) <= 2000),
    created_at   timestamptz NOT NULL DEFAULT now(),
    updated_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, kind),
    CONSTRAINT form_handed_in_has_reference CHECK ((reference IS NOT NULL) = (state <> 'draft')),
    CONSTRAINT form_handed_in_has_time CHECK ((submitted_at IS NOT NULL) = (state <> 'draft')),
    CONSTRAINT form_handed_in_is_counted CHECK ((handed_in > 0) = (state <> 'draft')),
    CONSTRAINT form_decided_has_time CHECK ((decided_at IS NOT NULL) = (state IN ('returned', 'approved', 'declined')))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- What staff look at, oldest first.
CREATE INDEX form_queue ON form (state, submitted_at) WHERE submitted_at IS NOT NULL;

-- +goose Down
DROP TABLE form;
