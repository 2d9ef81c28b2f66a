-- +goose Up

-- The table gets the name that the rest of the program uses. During an upgrade, programs of the version before read and write it through a
-- view, on which each role that stored rows of the table gets the same rights; the next version drops the view.
ALTER TABLE refund_ceiling RENAME TO refund_limit;
ALTER INDEX refund_ceiling_pkey RENAME TO refund_limit_pkey;
CREATE VIEW refund_ceiling AS SELECT client_code, role, most_minor FROM refund_limit;
-- +goose StatementBegin
DO $$
DECLARE who name;
BEGIN
    FOR who IN
        SELECT grantee FROM information_schema.role_table_grants
        WHERE table_schema = current_schema() AND table_name = 'refund_limit' AND privilege_type = 'INSERT' AND grantee NOT IN (current_user, 'PUBLIC')
    LOOP
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON refund_ceiling TO %I', who);
    END LOOP;
END $$;
-- +goose StatementEnd

-- +goose Down
DROP VIEW refund_ceiling;
ALTER INDEX refund_limit_pkey RENAME TO refund_ceiling_pkey;
ALTER TABLE refund_limit RENAME TO refund_ceiling;
