-- name: ComplianceTextPut :exec
INSERT INTO compliance_text (hash, version, document) VALUES (@hash, @version, @document) ON CONFLICT (hash) DO NOTHING;

-- name: ComplianceAgreementSign :execrows
-- Zero rows: it is already signed, or the signer is not an admin of the record.
INSERT INTO compliance_agreement (compliance_id, text_hash, sealed, signer_id, signer, address)
SELECT a.compliance_id, @text_hash, @sealed, a.account_id, @signer, @address
FROM compliance_admin a WHERE a.compliance_id = @compliance_id AND a.account_id = @account_id
ON CONFLICT (compliance_id) DO NOTHING;

-- name: ComplianceAgreementGet :one
-- time_zone is the shop's, or empty for a record without a shop.
SELECT g.*, t.version, t.document,
    coalesce((SELECT s.time_zone FROM compliance c JOIN shop s ON s.code = c.shop_code WHERE c.id = g.compliance_id), '')::text AS time_zone
FROM compliance_agreement g JOIN compliance_text t ON t.hash = g.text_hash
WHERE g.compliance_id = @compliance_id;
