-- +goose Up

-- An accountant reads and exports. A constraint with the longer list is checked beside the old one before it replaces it.
ALTER TABLE shop_member ADD CONSTRAINT shop_member_role_check CHECK (role IN ('owner', 'manager', 'floor', 'viewer', 'accountant')) NOT VALID;
ALTER TABLE shop_member VALIDATE CONSTRAINT shop_member_role_check, DROP CONSTRAINT client_admin_role_check;
ALTER TABLE shop_invite DROP CONSTRAINT shop_invite_role_check,
    ADD CONSTRAINT shop_invite_role_check CHECK (role IN ('owner', 'manager', 'floor', 'viewer', 'accountant'));

-- +goose Down
-- The version before knows no such role: who had it may look.
UPDATE shop_member SET role = 'viewer' WHERE role = 'accountant';
UPDATE shop_invite SET role = 'viewer' WHERE role = 'accountant';
ALTER TABLE shop_member DROP CONSTRAINT shop_member_role_check,
    ADD CONSTRAINT client_admin_role_check CHECK (role IN ('owner', 'manager', 'floor', 'viewer'));
ALTER TABLE shop_invite DROP CONSTRAINT shop_invite_role_check,
    ADD CONSTRAINT shop_invite_role_check CHECK (role IN ('owner', 'manager', 'floor', 'viewer'));
