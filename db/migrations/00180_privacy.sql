-- +goose Up

-- An erased account keeps its row, without name, address and password, for the rows that reference it.
ALTER TABLE account ADD COLUMN erased_at timestamptz;

-- A copy of an account's data that its owner asked for. It is ready once ready_at is set, in the parts that try wrote.
CREATE TABLE data_copy (
    id         uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    asked_at   timestamptz NOT NULL DEFAULT now(),
    done       integer NOT NULL DEFAULT 0, -- steps done, for the page that waits
    steps      integer NOT NULL DEFAULT 0,
    try        integer NOT NULL DEFAULT 0,
    parts      integer NOT NULL DEFAULT 0,
    bytes      bigint NOT NULL DEFAULT 0,
    ready_at   timestamptz,
    expires_at timestamptz NOT NULL DEFAULT now() + interval '7 days'
);

CREATE UNIQUE INDEX data_copy_one ON data_copy (account_id) WHERE ready_at IS NULL;
CREATE INDEX data_copy_account ON data_copy (account_id);
CREATE INDEX data_copy_age ON data_copy (expires_at);

-- The ZIP of a copy in pieces, each sealed for its place.
CREATE TABLE data_copy_part (
    copy_id uuid NOT NULL REFERENCES data_copy (id) ON DELETE CASCADE,
    try     integer NOT NULL,
    n       integer NOT NULL,
    sealed  bytea NOT NULL,
    PRIMARY KEY (copy_id, try, n)
);

-- A request to be erased, from the owner of an account or the payer of a transaction, who confirms it by a mailed link. It is done once
-- due_at has passed, and then the row is deleted.
CREATE TABLE erasure_ask (
    id             uuid PRIMARY KEY,
    account_id     uuid UNIQUE REFERENCES account (id) ON DELETE CASCADE,
    transaction_id text REFERENCES transaction (id) ON DELETE CASCADE,
    token_hash     bytea UNIQUE CHECK (length(token_hash) = 32), -- made with the letter
    asked_at       timestamptz NOT NULL DEFAULT now(),
    due_at         timestamptz, -- null: not confirmed
    CHECK ((account_id IS NULL) <> (transaction_id IS NULL))
);

CREATE INDEX erasure_ask_transaction ON erasure_ask (transaction_id);
CREATE INDEX erasure_ask_due ON erasure_ask (due_at);

-- What was erased: 'account UUID' or 'payer TRANSACTION'. A file that no backup holds has the same list.
CREATE TABLE erasure (
    subject   text PRIMARY KEY CHECK (subject ~ '^(account|payer) [A-Za-z0-9_-]{22,36}$'),
    erased_at timestamptz NOT NULL DEFAULT now()
);

-- Keeps out the names and addresses of an erased payer, even if the gateway reports them again after a restore.
-- +goose StatementBegin
CREATE FUNCTION attempt_stay_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM erasure WHERE subject = 'payer ' || NEW.transaction_id) THEN
        NEW.payer_name := '';
        NEW.payer_email := '';
        NEW.consumer_name := '';
        NEW.consumer_email := '';
        NEW.card_expiry := '';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd

CREATE TRIGGER attempt_erased BEFORE INSERT OR UPDATE OF payer_name, payer_email, consumer_name, consumer_email ON attempt FOR EACH ROW
    WHEN (NEW.payer_name <> '' OR NEW.payer_email <> '' OR NEW.consumer_name <> '' OR NEW.consumer_email <> '')
    EXECUTE FUNCTION attempt_stay_erased();

-- The text without an address or a name that is a word of its own in it: not ann@x.test in joann@x.test, nor in ann@x.test.au.
CREATE FUNCTION erase_words(words text, what text, instead text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN what = '' OR position(lower(what) IN lower(words)) = 0 THEN words ELSE regexp_replace(words,
        '(?<![[:alnum:]._%+-])' || regexp_replace(what, '([]\[.^$*+?(){}|\\])', '\\\1', 'g') || '(?![[:alnum:]_-]|[.@][[:alnum:]])', instead, 'gi') END
$$;

-- A line of the audit is never changed, except that an erasure removes an address or a name.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND current_setting('forecourt.erasing', true) = 'on' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'audit rows are never changed';
END $$;
-- +goose StatementEnd

-- Removes an address or a name from the audit, from all lines or from those about some subjects. The replacement always begins with
-- "erased", and the same transaction adds a line to the audit that says so.
-- +goose StatementBegin
CREATE FUNCTION audit_erase(what text, instead text, subjects text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    lines bigint;
BEGIN
    IF length(what) < 3 OR instead !~ '^erased[a-z0-9 -]*$' THEN
        RAISE EXCEPTION 'not an erasure';
    END IF;
    PERFORM set_config('forecourt.erasing', 'on', true);
    UPDATE audit SET actor = erase_words(actor, what, instead), subject = erase_words(subject, what, instead), reason = erase_words(reason, what, instead)
    WHERE (subjects IS NULL OR subject = ANY (subjects)) AND position(lower(what) IN lower(actor || ' ' || subject || ' ' || reason)) > 0;
    GET DIAGNOSTICS lines = ROW_COUNT;
    PERFORM set_config('forecourt.erasing', '', true);
    IF lines > 0 THEN
        INSERT INTO audit (actor, action, subject, reason) VALUES ('forecourt', 'audit erased', instead, lines || ' lines');
    END IF;
END $$;

DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION audit_erase(text, text, text[]) SECURITY DEFINER SET search_path = %I, pg_temp', current_schema());
END $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION audit_erase(text, text, text[]) FROM PUBLIC;

-- +goose Down
DROP FUNCTION audit_erase(text, text, text[]);
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit rows are never changed';
END $$;
-- +goose StatementEnd
DROP FUNCTION erase_words(text, text, text);
DROP TRIGGER attempt_erased ON attempt;
DROP FUNCTION attempt_stay_erased();
DROP TABLE erasure, erasure_ask, data_copy_part, data_copy;
ALTER TABLE account DROP COLUMN erased_at;
