-- +goose Up

-- Whether a person's rights need two-step sign-in: those of staff, and of the owners of a live business. The demo's accounts, which
-- everybody shares, can have none.
-- +goose StatementBegin
CREATE FUNCTION needs_two_step(person uuid) RETURNS boolean LANGUAGE sql STABLE AS
$$ SELECT EXISTS (SELECT FROM account a WHERE a.id = person AND a.demo_open IS NULL AND (a.staff OR EXISTS (
        SELECT FROM client_admin m JOIN client c ON c.code = m.client_code
        WHERE m.account_id = a.id AND m.role = 'owner' AND c.live AND c.demo_open IS NOT FALSE))) $$;
-- +goose StatementEnd

-- The key that replaces the one in use once a first code has confirmed it, as totp.sealed and setup_by do before there is any.
ALTER TABLE totp ADD COLUMN next_sealed bytea, ADD COLUMN next_by uuid, ADD COLUMN next_at timestamptz;

-- +goose Down
ALTER TABLE totp DROP COLUMN next_sealed, DROP COLUMN next_by, DROP COLUMN next_at;
DROP FUNCTION needs_two_step;
