-- +goose Up

-- Whose application staff accepted with the record; it outlives the account. From then on an owner of the shop is that person, or somebody
-- whose identity staff accepted.
ALTER TABLE compliance ADD COLUMN applicant uuid;
UPDATE compliance c SET applicant = coalesce(
    (SELECT a.account_id FROM compliance_admin a JOIN form f ON f.account_id = a.account_id
     WHERE a.compliance_id = c.id AND f.kind = 'application' AND f.state = 'approved' ORDER BY f.decided_at LIMIT 1),
    -- whoever owns a business that staff let go live
    (SELECT a.account_id FROM compliance_admin a JOIN go_live g ON g.client_code = c.client_code
     WHERE a.compliance_id = c.id AND g.state = 'approved' ORDER BY a.account_id LIMIT 1)
);

-- The account of a person who is to own the shop; null for the people that the application names.
ALTER TABLE compliance_person ADD COLUMN account_id uuid REFERENCES account (id) ON DELETE SET NULL;
CREATE UNIQUE INDEX compliance_person_account ON compliance_person (account_id, compliance_id) WHERE account_id IS NOT NULL;

-- +goose Down
ALTER TABLE compliance_person DROP COLUMN account_id;
ALTER TABLE compliance DROP COLUMN applicant;
