-- +goose Up

-- A payer chooses their own name and address, and could choose those of whoever refunds them. So the erasure of a payer, which names its
-- subjects, never changes who did something; the erasure of an account, which names none, does.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION audit_erase(what text, instead text, subjects text[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    lines bigint;
BEGIN
    IF length(what) < 3 OR instead !~ '^erased[a-z0-9 -]*$' THEN
        RAISE EXCEPTION 'not an erasure';
    END IF;
    PERFORM set_config('forecourt.erasing', 'on', true);
    IF subjects IS NULL THEN
        UPDATE audit SET actor = erase_words(actor, what, instead), subject = erase_words(subject, what, instead), reason = erase_words(reason, what, instead)
        WHERE position(lower(what) IN lower(actor || ' ' || subject || ' ' || reason)) > 0;
    ELSE
        UPDATE audit SET reason = erase_words(reason, what, instead) WHERE subject = ANY (subjects) AND position(lower(what) IN lower(reason)) > 0;
    END IF;
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

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION audit_erase(what text, instead text, subjects text[]) RETURNS void LANGUAGE plpgsql AS $$
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
