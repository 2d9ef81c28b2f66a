-- +goose Up

-- Removes the address of an account from the lines of the audit that are its own: those that it wrote, and those about it. Lines of others
-- may mean the person whose address it really is. See audit_erase.
-- +goose StatementBegin
CREATE FUNCTION audit_erase_own(what text, instead text, about text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    lines bigint;
BEGIN
    IF length(what) < 3 OR instead !~ '^erased[a-z0-9 -]*$' OR about !~ '^account [a-f0-9-]{36}$' THEN
        RAISE EXCEPTION 'not an erasure';
    END IF;
    PERFORM set_config('forecourt.erasing', 'on', true);
    UPDATE audit SET actor = erase_words(actor, what, instead), subject = erase_words(subject, what, instead), reason = erase_words(reason, what, instead)
    WHERE (actor = what OR subject = about) AND position(lower(what) IN lower(actor || ' ' || subject || ' ' || reason)) > 0;
    GET DIAGNOSTICS lines = ROW_COUNT;
    PERFORM set_config('forecourt.erasing', '', true);
    IF lines > 0 THEN
        INSERT INTO audit (actor, action, subject, reason) VALUES ('forecourt', 'audit erased', instead, lines || ' lines');
    END IF;
END $$;

DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION audit_erase_own(text, text, text) SECURITY DEFINER SET search_path = %I, pg_temp', current_schema());
END $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION audit_erase_own(text, text, text) FROM PUBLIC;

-- +goose Down
DROP FUNCTION audit_erase_own(text, text, text);
