-- +goose Up

-- Requests may run as a role that cannot change the schema (db.Admit). The audit's months are tables, so these two functions run as
-- their owner, with names that nobody else can redefine.
-- +goose StatementBegin
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION audit_make_month(timestamptz) SECURITY DEFINER SET search_path = %I, pg_temp', current_schema());
    EXECUTE format('ALTER FUNCTION audit_drop_month(timestamptz) SECURITY DEFINER SET search_path = %I, pg_temp', current_schema());
END $$;
-- +goose StatementEnd
REVOKE EXECUTE ON FUNCTION audit_make_month(timestamptz), audit_drop_month(timestamptz) FROM PUBLIC;

-- +goose Down
GRANT EXECUTE ON FUNCTION audit_make_month(timestamptz), audit_drop_month(timestamptz) TO PUBLIC;
ALTER FUNCTION audit_drop_month(timestamptz) SECURITY INVOKER RESET search_path;
ALTER FUNCTION audit_make_month(timestamptz) SECURITY INVOKER RESET search_path;
