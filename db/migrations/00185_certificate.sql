-- +goose Up

-- What the site stores for its certificates: accounts at the authority, keys, certificates and challenges, by the names that certmagic
-- gives them. Everything is sealed.
CREATE TABLE certificate_file (
    key        text PRIMARY KEY,
    sealed     bytea NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now()
);

-- Which of several processes gets a certificate. A lock whose holder died ends by itself.
CREATE TABLE certificate_lock (
    name    text PRIMARY KEY,
    holder  uuid NOT NULL,
    ends_at timestamptz NOT NULL
);

-- +goose Down
DROP TABLE certificate_lock;
DROP TABLE certificate_file;
