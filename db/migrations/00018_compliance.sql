-- +goose Up

-- What a merchant has to sign and show before it is taken on.
CREATE TABLE compliance (
    id         text PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{1,63}$'),
    name       text NOT NULL CHECK (name <> '' AND length(name) <= 100), -- of the business
    created_at timestamptz NOT NULL DEFAULT now()
);

-- Who may see a record and act for it.
CREATE TABLE compliance_admin (
    compliance_id text NOT NULL REFERENCES compliance (id) ON DELETE CASCADE,
    account_id    uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    PRIMARY KEY (compliance_id, account_id)
);

CREATE INDEX compliance_admin_account ON compliance_admin (account_id);

-- The agreement, word for word, as somebody signed it; the hash is SHA-256 of the document.
CREATE TABLE compliance_text (
    hash     bytea PRIMARY KEY CHECK (octet_length(hash) = 32),
    version  text NOT NULL,
    document text NOT NULL
);

-- A signature: one for each record. The account to debit is sealed.
CREATE TABLE compliance_agreement (
    compliance_id text PRIMARY KEY REFERENCES compliance (id),
    text_hash     bytea NOT NULL REFERENCES compliance_text (hash),
    sealed        bytea NOT NULL,
    signer_id     uuid NOT NULL, -- the signature outlives the account
    signer        text NOT NULL,
    address       text NOT NULL,
    signed_at     timestamptz NOT NULL DEFAULT now()
);

-- Somebody who has to show who they are. Name and details are sealed.
CREATE TABLE compliance_person (
    compliance_id text NOT NULL REFERENCES compliance (id) ON DELETE CASCADE,
    number        integer NOT NULL CHECK (number > 0), -- from 1, the order of the tabs
    required      text[] NOT NULL CHECK (required <@ ARRAY['address', 'licence', 'dob']),
    sealed        bytea NOT NULL,
    state         text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'waiting', 'returned', 'accepted')),
    reason        text NOT NULL DEFAULT '', -- what staff asked for
    revision      integer NOT NULL DEFAULT 0, -- goes up with each change, so that a decision is on what was looked at
    changed_at    timestamptz NOT NULL DEFAULT now(),
    decided_by    text NOT NULL DEFAULT '',
    PRIMARY KEY (compliance_id, number),
    CHECK (state <> 'returned' OR reason <> '')
);

CREATE INDEX compliance_person_state ON compliance_person (state, changed_at);

-- A side of a licence: a sealed JPEG.
CREATE TABLE compliance_image (
    compliance_id text NOT NULL,
    number        integer NOT NULL,
    side          text NOT NULL CHECK (side IN ('front', 'back')),
    sealed        bytea NOT NULL,
    PRIMARY KEY (compliance_id, number, side),
    FOREIGN KEY (compliance_id, number) REFERENCES compliance_person (compliance_id, number) ON DELETE CASCADE
);

-- A picture is as small as it gets already.
ALTER TABLE compliance_image ALTER COLUMN sealed SET STORAGE EXTERNAL;

-- +goose Down
DROP TABLE compliance_image, compliance_person, compliance_agreement, compliance_text, compliance_admin, compliance;
